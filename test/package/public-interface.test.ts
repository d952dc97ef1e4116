// The public interface as users get it: a change of it shows up in review, and every name and field explains itself.
import { describe, expect, test } from 'vitest';

import {
  commentOf,
  membersOf,
  readPublicInterface,
  responseTypesOf,
  signatureOf,
} from '../support/public-interface.ts';

const { checker, entries } = readPublicInterface();

describe('the public interface', () => {
  test.each([...entries.keys()])(
    '%s exports what its report says (update it with: vitest -u)',
    async (entry) => {
      const names = entries.get(entry) ?? [];
      expect(names.length).toBeGreaterThan(0);
      const sections = names.map((name) => `## ${name.name}\n\n\`\`\`ts\n${signatureOf(name)}\n\`\`\``);
      const file = entry.replace('data-quality-client', '').replace('/', '') || 'index';
      await expect(`# ${entry}\n\n${sections.join('\n\n')}\n`).toMatchFileSnapshot(
        `public-interface/${file}.md`,
      );
    },
  );

  test('gives each name one meaning across all entry points', () => {
    const meanings = new Map<string, Set<unknown>>();
    for (const names of entries.values()) {
      for (const { name, symbol } of names) {
        meanings.set(name, (meanings.get(name) ?? new Set()).add(symbol));
      }
    }
    expect([...meanings].filter(([, symbols]) => symbols.size > 1).map(([name]) => name)).toEqual([]);
  });

  test('explains every name', () => {
    const bare = [...entries].flatMap(([entry, names]) =>
      names
        .filter(({ symbol }) => commentOf(checker, symbol) === '')
        .map(({ name }) => `${name} of ${entry}`),
    );
    expect(bare).toEqual([]);
  });

  test('explains every field, option and method', () => {
    const bare = new Set<string>();
    let count = 0;
    for (const names of entries.values()) {
      for (const name of names) {
        for (const member of membersOf(checker, name)) {
          count += 1;
          if (commentOf(checker, member) === '') bare.add(`${name.name}.${member.name}`);
        }
      }
    }
    expect(count).toBeGreaterThan(300);
    expect([...bare]).toEqual([]);
  });

  test('names the type of every response', () => {
    const registry = entries.get('data-quality-client/schemas')?.find(({ name }) => name === 'endpoints');
    const types = registry === undefined ? new Map<string, string>() : responseTypesOf(checker, registry);
    const exported = entries.get('data-quality-client')?.map(({ name }) => name) ?? [];
    expect(types.size).toBeGreaterThan(15);
    const unnamed = [...types].filter(([, type]) => {
      return !exported.includes(type.replace(/^Partial<(.*)>$/, '$1'));
    });
    expect(unnamed).toEqual([]);
  });
});
