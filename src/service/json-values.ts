/** Whether a JSON text has more than so many values, before it is parsed: an approximation that is never far too low. */
export function hasMoreValuesThan(most: number, text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      // Commas and brackets in a text are not values; an escaped quote does not end it.
      do at = text.indexOf('"', at + 1);
      while (at !== -1 && isEscaped(text, at));
      if (at === -1) return false;
    } else if (character === ',' || character === '[' || character === '{') {
      values += 1;
      if (values > most) return true;
    }
  }
  return false;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
