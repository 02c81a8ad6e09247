//! CSV that a spreadsheet opens without computing anything.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or the end of a line for a formula, and some
//! formulas start programs (OWASP, "CSV Injection"). Names in results come from logs, files and links. Such a text
//! therefore gets an apostrophe in front, which makes the spreadsheet show it as text. Numbers stay numbers. CSV for
//! programs, which read names exactly, is not changed.

/// The characters with which a formula begins.
const SIGNS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Makes CSV that this crate wrote safe for spreadsheets. In such CSV, only fields with a comma, a quote or an end of
/// line are in quotes.
pub fn for_spreadsheets(csv: &str) -> String {
    let (mut made, mut rest) = (String::with_capacity(csv.len()), csv);
    while !rest.is_empty() {
        let quote = if rest.starts_with('"') { "\"" } else { "" };
        let field = &rest[quote.len()..];
        let length = if quote.is_empty() { field.find([',', '\n']) } else { closing_quote(field) };
        let (field, behind) = field.split_at(length.unwrap_or(field.len()));
        made.push_str(quote);
        if is_formula(field) {
            made.push('\'');
        }
        made.push_str(field);
        // The closing quote, and the separator before the next field.
        let parting = behind.find([',', '\n']).map_or(behind.len(), |at| at + 1);
        made.push_str(&behind[..parting]);
        rest = &behind[parting..];
    }
    made
}

/// The place of the quote that ends a field; a quote within the field is doubled.
fn closing_quote(field: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + field[from..].find('"')?;
        if !field[at + 1..].starts_with('"') {
            return Some(at);
        }
        from = at + 2;
    }
}

fn is_formula(field: &str) -> bool {
    field.starts_with(SIGNS) && field.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_texts_and_all_else_stays() {
        let harmless = "scheduler,AF,low\neasy,12.5,-3\n\"a, \"\"b\"\"\",+1e-7,\n";
        assert_eq!(for_spreadsheets(harmless), harmless);
        let formulas =
            "by,group\nuser,=cmd|' /C calc'!A0\nuser,@SUM(1)\nuser,+1+1\nuser,-x\nuser,\"\t=1\"\nuser,\"\r=1\"\n";
        let expected =
            "by,group\nuser,'=cmd|' /C calc'!A0\nuser,'@SUM(1)\nuser,'+1+1\nuser,'-x\nuser,\"'\t=1\"\nuser,\"'\r=1\"\n";
        assert_eq!(for_spreadsheets(formulas), expected);
    }
}
