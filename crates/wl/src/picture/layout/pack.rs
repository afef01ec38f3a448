//! Rectangles side by side: many small drawings become one of a pleasant shape. Not what is in them.

use std::cmp::Reverse;

/// How much room something takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: i64,
    pub(crate) height: i64,
}

/// Where each rectangle goes, none over another, high ones first, each as far up as there is room for it; and the size
/// of it all, which is not wider than `width` unless a single rectangle is.
pub(crate) fn pack(sizes: &[Size], width: i64, gap: i64) -> (Vec<(i64, i64)>, Size) {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|it| Reverse(sizes[*it].height));
    let mut places = vec![(0, 0); sizes.len()];
    let mut whole = Size::default();
    let mut ground = Ground { steps: vec![(0, 0)] };
    for at in order {
        let size = sizes[at];
        let (x, y) = ground.place(size.width, width);
        ground.build(x, size.width + gap, y + size.height + gap);
        places[at] = (x, y);
        whole.width = whole.width.max(x + size.width);
        whole.height = whole.height.max(y + size.height);
    }
    (places, whole)
}

/// How far down is taken, from left to right.
struct Ground {
    /// Where a step begins, and how far down it is; the last one goes on for ever.
    steps: Vec<(i64, i64)>,
}

impl Ground {
    /// The highest place for something of this width, and of those the leftmost.
    fn place(&self, wide: i64, room: i64) -> (i64, i64) {
        let starts = self.steps.iter().map(|it| it.0).filter(|it| *it == 0 || *it + wide <= room);
        let place = starts.map(|x| (self.depth(x, x + wide), x)).min();
        place.map_or((0, 0), |(y, x)| (x, y))
    }

    /// What must be gone below between two places.
    fn depth(&self, from: i64, to: i64) -> i64 {
        let ends = self.steps.iter().skip(1).map(|it| it.0).chain([i64::MAX]);
        let under = self.steps.iter().zip(ends).filter(|(step, end)| step.0 < to && *end > from);
        under.map(|(step, _)| step.1).max().unwrap_or(0)
    }

    fn build(&mut self, from: i64, wide: i64, depth: i64) {
        let to = from + wide;
        let behind = self.steps.iter().rev().find(|it| it.0 <= to).map_or(0, |it| it.1);
        self.steps.retain(|it| it.0 < from || it.0 > to);
        self.steps.extend([(from, depth), (to, behind)]);
        self.steps.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_and_nothing_overlaps() {
        let size = |width, height| Size { width, height };
        let (places, whole) = pack(&[size(4, 1), size(4, 3), size(4, 2), size(20, 1)], 10, 1);
        assert_eq!(places, [(5, 3), (0, 0), (5, 0), (0, 5)]);
        assert_eq!(whole, size(20, 6));
    }
}
