import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

const files = globSync('src/http/pacing/*-limiter.ts').filter((file) => !file.endsWith('rate-limiter.ts'));

/** The bodies of the questions, and of what they ask of their own class. */
function questions(file: string): string {
  const source = readFileSync(file, 'utf8');
  const names = ['estimate', 'blockedMs', 'get available', 'available', '#end', '#isFull'];
  return names.map((name) => source.split(`\n  ${name}(`)[1]?.split('\n  }\n')[0] ?? '').join('\n');
}

describe('a limiter that is asked how long requests wait', () => {
  it('is one of six', () => {
    expect(files).toHaveLength(6);
  });

  it.each(files)('changes nothing: %s', (file) => {
    const bodies = questions(file);
    expect(bodies).toContain('return ');
    expect(bodies.match(/this\.#?\w+(\.\w+)* *([-+*/|&?]*=[^=>]|\+\+|--)/g)).toBeNull();
    expect(
      bodies.match(/\b(?:advance|prepare|on[A-Z]\w+|add|replace|remove|shift|expire|ask)\(/g),
    ).toBeNull();
  });
});
