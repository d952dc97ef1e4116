import type { DatabaseColumn } from '../database/database.ts';
import { longestValue } from '../limits.ts';
import { identifier, literal } from './quote.ts';

/** What a column contains, as far as its SQL differs. */
export type Kind = 'whole' | 'decimal' | 'float' | 'text' | 'temporal' | 'other';

/** The SQL of the value of a column in one row. */
export interface ColumnSql {
  readonly kind: Kind;
  /** The type without what is around it. */
  readonly base: string;
  /** The column itself. */
  readonly plain: string;
  readonly isNull: string;
  /** What is compared with other rows: equal for equal values. */
  readonly value: string;
  readonly text: string;
  /** The value as a finite double; NULL if it is not a number. */
  readonly number: string;
}

/** A type without `Nullable`, `LowCardinality` and its parameters. */
export function baseOf(type: string): string {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/su.exec(type) ?? [];
  return inner === undefined ? type.replace(/\(.*$/su, '') : baseOf(inner);
}

/** The kind of value that a type contains. */
export function kindOf(base: string): Kind {
  if (/^U?Int\d+$/.test(base)) return 'whole';
  if (base.startsWith('Decimal')) return 'decimal';
  if (/^Float(?:32|64)$/.test(base)) return 'float';
  if (/^(?:String|FixedString|Enum(?:8|16)?)$/.test(base)) return 'text';
  return /^Date(?:32|Time|Time32|Time64)?$/.test(base) ? 'temporal' : 'other';
}

/** Writes the SQL of a column, by its type. */
export function columnSql({ name, base }: Pick<DatabaseColumn, 'name' | 'base'>): ColumnSql {
  const plain = identifier(name);
  const kind = kindOf(base);
  const common = { kind, base, plain, isNull: `isNull(${plain})` };
  switch (kind) {
    case 'whole':
      return { ...common, value: plain, text: `toString(${plain})`, number: `toFloat64(${plain})` };
    case 'decimal':
      return { ...common, value: plain, text: `toString(${plain})`, number: `toFloat64(${plain})` };
    case 'float': {
      // Values are compared by their bits: 0 has two, and NaN has many.
      const value = `multiIf(isNaN(${plain}), nan, ${plain} = 0, 0., toFloat64(${plain}))`;
      const number = `if(isFinite(${plain}), toFloat64(${plain}), NULL)`;
      return { ...common, value: `if(isNull(${plain}), NULL, ${value})`, text: `toString(${plain})`, number };
    }
    case 'text': {
      const text =
        base === 'String'
          ? plain
          : base === 'FixedString'
            ? `toStringCutToZero(${plain})`
            : `toString(${plain})`;
      return { ...common, value: text, text, number: numberInText(text) };
    }
    default: {
      const text = `toString(${plain})`;
      return { ...common, value: kind === 'temporal' ? plain : text, text, number: nothing };
    }
  }
}

const nothing = `toFloat64OrNull('')`;

/** The value as text of bounded length; the hash keeps apart what begins alike. */
export function sampleSql({ text, kind }: ColumnSql): string {
  if (kind !== 'text' && kind !== 'other') return text;
  const letters = `lengthUTF8(${text})`;
  const mark = `concat(${literal('… (cut: ')}, toString(${letters}), ' characters, md5 ', lower(hex(MD5(assumeNotNull(${text})))), ')')`;
  return `if(${letters} > ${longestValue}, concat(substringUTF8(${text}, 1, 200), ${mark}), ${text})`;
}

/** The value that such a text represents. */
export function sampleValue(base: string, text: unknown): unknown {
  if (typeof text !== 'string') return null;
  const kind = kindOf(base);
  if (base === 'Bool') return text === 'true';
  if (kind !== 'whole' && kind !== 'decimal' && kind !== 'float') return text;
  const value = Number(text);
  if (kind === 'whole') return Number.isSafeInteger(value) ? value : text;
  return Number.isFinite(value) ? value : text;
}

const numberPattern = String.raw`^\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,4})?\s*$`;

function numberInText(text: string): string {
  const parsed = `toFloat64OrNull(replaceRegexpAll(${text}, ${literal(String.raw`^[\s+]+|\s+$`)}, ''))`;
  return `if(match(${text}, ${literal(numberPattern)}) AND isFinite(${parsed}), ${parsed}, NULL)`;
}
