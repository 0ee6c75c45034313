//! Prints rows of text in columns.

use std::fmt;

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table with a heading; widths follow the longest text.
pub(crate) struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(columns: [(&str, Align); N]) -> Self {
        Self::with_columns(columns.into_iter())
    }

    /// Creates a table with any number of columns.
    pub(crate) fn with_columns<'a>(columns: impl Iterator<Item = (&'a str, Align)>) -> Self {
        let (heading, columns) = columns.map(|(title, align)| (title.to_owned(), align)).unzip();
        Self { columns, rows: vec![heading] }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.push(cells.into_iter());
    }

    /// Adds a row with a cell for each column.
    pub(crate) fn push(&mut self, cells: impl Iterator<Item = String>) {
        self.rows.push(cells.collect());
    }

    fn width(&self, column: usize) -> usize {
        self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<_> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns).zip(&widths).map(|((text, align), width)| match align {
                Align::Left => format!("{text:<width$}"),
                Align::Right => format!("{text:>width$}"),
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(f, "  {}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Returns a number with its thousands separated.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns `part` of `whole` in percent, with one decimal, rounded to nearest.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let tenths = (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Returns a bar whose length is `part` of `whole`, in eighths of a character.
pub(crate) fn bar(part: u64, whole: u64, width: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = usize::try_from(part * width * 8 / whole.max(1)).unwrap_or(0);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_longest_text() {
        let mut table = Table::new([("name", Align::Left), ("n", Align::Right)]);
        table.row(["a".into(), "1,000".into()]);
        assert_eq!(table.to_string(), "  name      n\n  a     1,000\n");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn percentages_are_rounded_to_nearest() {
        assert_eq!(
            [(1, 3), (2, 3), (1, 1), (0, 0)].map(|(p, w)| percent(p, w)),
            ["33.3 %", "66.7 %", "100.0 %", "0.0 %"]
        );
    }

    #[test]
    fn a_bar_has_the_length_of_its_share() {
        assert_eq!([bar(1, 1, 2), bar(1, 2, 3), bar(0, 5, 9)], ["██", "█▌", ""]);
    }
}
