import { message } from './terminal.ts';

/** Opens an address in the browser of the person at this machine; says so if there is none. */
export async function openBrowser(address: string): Promise<void> {
  try {
    const { default: open } = await import('open');
    const child = await open(address);
    child.once('error', () => message(noBrowser));
  } catch {
    message(noBrowser);
  }
}

const noBrowser = 'No browser could be opened here; open the address of the page in one.';
