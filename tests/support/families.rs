//! A sentence that is about each of several families: it is written once, and generic over them.

/// Tests of these sentences on each of these families, in turn.
macro_rules! on_each {
    ($families:tt $($group:ident: $($sentence:ident)*;)*) => { $($(
        #[test]
        fn $sentence() {
            $crate::support::families::on_each! { @$families $group::$sentence }
        }
    )*)* };
    (@[$($family:ident)*] $group:ident::$sentence:ident) => { $(
        println!("{}", stringify!($family));
        $group::$sentence::<families::$family>();
    )* };
}

pub(crate) use on_each;
