import { Document, isNode, LineCounter, parseDocument } from 'yaml';

import { InvalidRequestError } from '../errors.ts';
import type { Definition } from './definition.ts';

/** How a definition is written. */
export interface ToYamlOptions {
  /** Where editors find the JSON Schema; default the one in `node_modules`, seen from the project's root. */
  readonly schema?: string | undefined;
}

const installedSchema = './node_modules/data-quality-client/dist/rules.schema.json';

/** Writes a definition as YAML whose first line names its JSON Schema, so that editors complete and check it. */
export function toYaml(definition: Definition, { schema = installedSchema }: ToYamlOptions = {}): string {
  const document = new Document(definition, { aliasDuplicateObjects: false });
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  return document.toString({ lineWidth: 0 });
}

/** A value read from YAML, and the line at which the value at a path begins. */
export interface YamlSource {
  readonly value: unknown;
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/** Reads YAML, of which JSON is a part; throws `InvalidRequestError` if it is not YAML. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  try {
    const [broken] = document.errors;
    if (broken !== undefined) throw broken;
    return { value: document.toJS(), lineOf };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.trimEnd() : String(cause);
    throw new InvalidRequestError('the definition', [{ path: [], message }], { cause });
  }

  /** What is missing has no line; the line is that of its parent. */
  function lineOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  }
}
