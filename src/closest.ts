// The word that a person probably meant.

/** The word that is most like a text, if one is alike. */
export function closest<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  const typed = text.toLowerCase();
  const near = words
    .map((word) => ({ word, edits: editsBetween(typed, word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= word.length / 3)
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.word;
}

/** How many letters must be inserted, deleted or replaced to make one text of the other. */
function editsBetween(from: string, to: string): number {
  // Words of the interface are short: a text beyond this is like none of them.
  if (from.length > 40) return from.length;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let line = 0; line < from.length; line++) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = (row[at] ?? 0) + (from[line] === to[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
