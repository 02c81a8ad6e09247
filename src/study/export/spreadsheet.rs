//! CSV that a spreadsheet opens without computing anything.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or the end of a line for a formula, and some of them
//! start programs (OWASP, "CSV Injection"). Names in results come from logs, files and links, so such a text is put behind
//! an apostrophe, which shows the text as it is. Numbers stay numbers. For programs, which read names exactly, CSV stays
//! as it is.

/// What formulas begin with.
const SIGNS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// CSV of ours, for spreadsheets. It is gone through as it was written: a field with a comma, a quote or an end of line in
/// it stands in quotes, and no other.
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
        // the closing quote, and what parts this field from the next
        let parting = behind.find([',', '\n']).map_or(behind.len(), |at| at + 1);
        made.push_str(&behind[..parting]);
        rest = &behind[parting..];
    }
    made
}

/// Where the quote is that ends a field: one in the field stands twice.
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
