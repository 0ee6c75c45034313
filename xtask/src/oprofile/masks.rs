//! Parses OProfile's `unit_masks`: a line `name:mesi type:bitmask default:0x0f`, and beneath it, each after a tab, the
//! values: `0x08 description`, or `0x01 extra:cmask=1,inv stall_cycles description` if a value has a name or needs more
//! than a mask.

use anyhow::{Context, Result, bail, ensure};

use super::line::{Tags, each, hexadecimal};

/// OProfile's room for the values of a unit mask.
const ROOM: usize = 64;

/// The unit masks of some events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnitMasks {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) default: Default,
    pub(crate) values: Vec<Value>,
}

/// How they can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// There is only one.
    Mandatory,
    /// Any of them together.
    Bitmask,
    /// One of them.
    Exclusive,
}

/// The default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Default {
    Value(u64),
    Name(String),
}

/// One unit mask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) value: u64,
    /// The name, if values have names.
    pub(crate) name: Option<String>,
    /// What it needs beside the mask, in OProfile's words: `cmask=1`, `inv`, `edge`, `any`, `pebs`.
    pub(crate) extra: Vec<String>,
}

/// Read a file of unit masks and add them to `masks`. Returns the processors that it includes.
///
/// # Errors
/// A line is wrong, or its unit masks contradict each other.
pub(crate) fn read(text: &str, masks: &mut Vec<UnitMasks>) -> Result<Vec<String>> {
    let known = masks.len();
    let includes = each(text, |line| {
        if line.starts_with(['\t', ' ']) {
            let unit = masks.get_mut(known..).and_then(<[_]>::last_mut);
            unit.context("a value stands before the first name")?.values.push(Value::read(line)?);
            return Ok(());
        }
        let unit = UnitMasks::read(line)?;
        ensure!(masks.iter().all(|other| other.name != unit.name), "the unit masks {} come twice", unit.name);
        masks.push(unit);
        Ok(())
    })?;
    masks[known..].iter().try_for_each(UnitMasks::check)?;
    Ok(includes)
}

impl UnitMasks {
    fn read(line: &str) -> Result<Self> {
        let tags = Tags::read(line, &["name", "type", "default"])?;
        let default = tags.need("default")?;
        Ok(Self {
            name: tags.name("name")?.to_owned(),
            kind: Kind::read(tags.need("type")?)?,
            default: hexadecimal(default).map_or_else(|| Default::Name(default.to_owned()), Default::Value),
            values: Vec::new(),
        })
    }

    fn check(&self) -> Result<()> {
        let (name, values) = (&self.name, &self.values);
        ensure!(
            (1..=ROOM).contains(&values.len()),
            "the unit masks {name} have {} values, and room for {ROOM}",
            values.len()
        );
        ensure!(
            self.kind != Kind::Mandatory || values.len() == 1,
            "the unit mask {name} is mandatory, and not one value"
        );
        ensure!(self.default_value().is_some(), "the unit masks {name} have no value of their default's name");
        Ok(())
    }

    /// Returns the default as a number.
    pub(crate) fn default_value(&self) -> Option<u64> {
        match &self.default {
            Default::Value(value) => Some(*value),
            Default::Name(name) => {
                self.values.iter().find(|value| value.name.as_ref() == Some(name)).map(|value| value.value)
            }
        }
    }
}

impl Kind {
    fn read(word: &str) -> Result<Self> {
        match word {
            "mandatory" => Ok(Self::Mandatory),
            "bitmask" => Ok(Self::Bitmask),
            "exclusive" => Ok(Self::Exclusive),
            _ => bail!("type:{word} is not mandatory, bitmask or exclusive"),
        }
    }
}

impl Value {
    fn read(line: &str) -> Result<Self> {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let value = hexadecimal(first).with_context(|| format!("{first:?} is no hexadecimal number"))?;
        let Some(extra) = words.next().and_then(|word| word.strip_prefix("extra:")) else {
            return Ok(Self { value, name: None, extra: Vec::new() });
        };
        let name = words.next().context("a name must follow extra:")?.to_owned();
        let extra: Vec<_> = extra.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        match extra.iter().find(|word| !is_known(word)) {
            Some(word) => bail!("extra:{word} is not cmask=, inv, edge, any or pebs"),
            None => Ok(Self { value, name: Some(name), extra }),
        }
    }
}

fn is_known(extra: &str) -> bool {
    let is_threshold = |digits| u8::from_str_radix(digits, 16).is_ok();
    matches!(extra, "inv" | "edge" | "any" | "pebs") || extra.strip_prefix("cmask=").is_some_and(is_threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(text: &str) -> Result<Vec<UnitMasks>> {
        let mut masks = Vec::new();
        read(text, &mut masks)?;
        Ok(masks)
    }

    #[test]
    fn values_belong_to_the_name_above_them() {
        let text = "name:zero type:mandatory default:0x0\n\t0x0 nothing\n\
            name:mesi type:bitmask default:0x0f\n\t0x08 modified\n\t0x04 exclusive\n";
        let masks = masks(text).unwrap();
        assert_eq!(
            masks.iter().map(|unit| (unit.name.as_str(), unit.kind)).collect::<Vec<_>>(),
            [("zero", Kind::Mandatory), ("mesi", Kind::Bitmask)]
        );
        assert_eq!(masks[1].values.iter().map(|value| value.value).collect::<Vec<_>>(), [8, 4]);
        assert_eq!(masks[1].default_value(), Some(0xf));
    }

    #[test]
    fn a_value_with_extra_has_a_name_and_may_need_more() {
        let text = "name:stalls type:exclusive default:stall_cycles\n\t0x1 extra:cmask=1,inv stall_cycles text\n\
            \t0x2 extra: any text\n";
        let [stalls] = &masks(text).unwrap()[..] else { panic!("there is one") };
        assert_eq!(
            (stalls.values[0].extra.as_slice(), stalls.default_value()),
            (&["cmask=1".to_owned(), "inv".to_owned()][..], Some(1))
        );
        assert_eq!((stalls.values[1].extra.len(), stalls.values[1].name.as_deref()), (0, Some("any")));
    }

    #[test]
    fn a_mandatory_mask_is_one_value() {
        assert!(masks("name:a type:mandatory default:0x0\n\t0x0 a\n\t0x1 b\n").is_err());
        assert!(masks("name:a type:mandatory default:0x0\n").is_err());
    }

    #[test]
    fn there_is_room_for_64_values() {
        let with = |values| masks(&format!("name:a type:exclusive default:0x0\n{}", "\t0x0 a\n".repeat(values)));
        assert!(with(64).is_ok() && with(65).is_err());
    }

    #[test]
    fn what_cannot_be_is_an_error() {
        for text in
            ["\t0x0 a\n", "name:a type:odd default:0x0\n", "name:a type:bitmask default:b\n\t0x1 extra: c text\n"]
        {
            assert!(masks(text).is_err(), "{text:?}");
        }
        assert!(masks("name:a type:bitmask default:0x0\n\t0x1 extra:odd c text\n").is_err());
    }
}
