//! Server-sent events, put together from their lines. Not what an event means.

/// The data of an event that is being sent.
#[derive(Debug, Default)]
pub(super) struct Lines {
    data: Option<String>,
}

impl Lines {
    /// Takes one line; at the end of an event its data. Names of events are in the data, too, and not needed.
    pub(super) fn take(&mut self, line: &str) -> Option<String> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            return self.data.take();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => *data = format!("{data}\n{value}"),
                None => self.data = Some(value.to_owned()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn events_are_put_together() {
        let text = ": hello\nevent: a\r\ndata: {\"x\":\r\ndata: 1}\r\n\r\n\ndata:[DONE]\n\nid: 7\n";
        let mut lines = Lines::default();
        let data: Vec<String> = text.split('\n').filter_map(|it| lines.take(it)).collect();
        assert_eq!(data, ["{\"x\":\n1}", "[DONE]"]);
    }
}
