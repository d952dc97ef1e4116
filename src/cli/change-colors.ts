import type { PaintChange } from '../rules/index.ts';
import { stdoutColors } from './terminal.ts';

/** Colours a change by what it does. */
export const paintChange: PaintChange = (action, text) => {
  switch (action) {
    case 'create':
      return stdoutColors.green(text);
    case 'delete':
      return stdoutColors.red(text);
    case 'unchanged':
      return stdoutColors.dim(text);
    default:
      return stdoutColors.yellow(text);
  }
};
