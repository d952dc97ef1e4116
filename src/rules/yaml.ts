import { Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';

import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import type { Definition } from './definition.ts';
import { escapeReferences } from './variables.ts';

/** How a definition is written. */
export interface ToYamlOptions {
  /**
   * Where editors find the JSON Schema.
   *
   * @default the one in `node_modules`, seen from the project's root
   */
  readonly schema?: string | undefined;
}

const installedSchema = './node_modules/data-quality-client/dist/rules.schema.json';

/** Writes a definition as YAML whose first line names its JSON Schema, so that editors complete and check it. */
export function toYaml(definition: Definition, { schema = installedSchema }: ToYamlOptions = {}): string {
  const document = new Document(escapeReferences(definition));
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  return document.toString({ lineWidth: 0 });
}

/** A place in a text, counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly col: number;
}

/** A value read from YAML, and the place of the value at a path, or of its key. */
export interface YamlSource {
  readonly value: unknown;
  readonly placeOf: (path: readonly PropertyKey[], part: 'key' | 'value') => TextPlace;
}

/** Reads YAML, or JSON from a source that is named so; throws `InvalidRequestError` if it is neither. */
export function readYaml(text: string, source: string): YamlSource {
  if (/\.json$/i.test(source)) refuseJsonMistake(text, source);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  try {
    const [broken] = document.errors;
    if (broken !== undefined) throw broken;
    const value: unknown = document.toJS();
    assertFinite(value, source);
    return { value, placeOf };
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    if (/^\s*\{/.test(text)) refuseJsonMistake(text, source);
    const reason = cause instanceof Error ? cause.message.trimEnd() : String(cause);
    throw new InvalidRequestError(source, [{ path: [], message: `is not valid YAML: ${reason}` }], { cause });
  }

  /** What is missing has no place; the place is that of its parent. */
  function placeOf(path: readonly PropertyKey[], part: 'key' | 'value'): TextPlace {
    for (let length = path.length; length > 0; length--) {
      const parent: unknown = document.getIn(path.slice(0, length - 1));
      const name = String(path[length - 1]);
      const key = isMap(parent)
        ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === name)?.key
        : undefined;
      const value: unknown = document.getIn(path.slice(0, length), true);
      const node = part === 'key' ? (key ?? value) : value;
      if (isNode(node) && node.range) return lines.linePos(node.range[0]);
    }
    return { line: 1, col: 1 };
  }
}

/** Refuses an alias that contains itself, which nothing could be read to the end. */
function assertFinite(value: unknown, source: string): void {
  try {
    JSON.stringify(value);
  } catch (cause) {
    const message = 'has an alias that contains itself';
    throw new InvalidRequestError(source, [{ path: [], message }], { cause });
  }
}

/** Refuses a text that is meant to be JSON in the words of JSON: YAML reads some mistakes as a value that is empty. */
function refuseJsonMistake(text: string, source: string): void {
  try {
    JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (cause) {
    // The message quotes the text, line breaks included.
    const message = `is not valid JSON: ${(cause as Error).message.replaceAll(/\s+/g, ' ')}`;
    throw new InvalidRequestError(source, [{ path: [], message }], { cause });
  }
}
