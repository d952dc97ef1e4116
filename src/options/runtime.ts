import { ConfigurationError } from '../errors/configuration-error.ts';

/** What is used of a `process`, which not every runtime has. */
interface RuntimeProcess {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly versions?: Readonly<Record<string, string | undefined>>;
}

function runtimeProcess(): RuntimeProcess | undefined {
  return (globalThis as { process?: RuntimeProcess }).process;
}

/** Returns an environment variable; `undefined` if it is empty or cannot be read. */
export function environment(name: string): string | undefined {
  try {
    return runtimeProcess()?.env?.[name] || undefined;
  } catch {
    // Deno throws unless it was started with the permission to read the environment.
    return undefined;
  }
}

/** Refuses a Node that lacks functions of the client: its first request would fail in the middle. */
export function refuseOldNode(): void {
  // Other runtimes report which Node they resemble.
  if ('Deno' in globalThis || 'Bun' in globalThis) return;
  const version = runtimeProcess()?.versions?.['node'];
  const [major = 0, minor = 0] = version?.split('.').map(Number) ?? [];
  if (version !== undefined && (major < 22 || (major === 22 && minor < 12))) {
    throw new ConfigurationError(`data-quality-client needs Node 22.12 or later; this is Node ${version}`);
  }
}

/** Refuses a browser unless it is allowed: everyone who opens the page can read the key. */
export function refuseBrowser(allowed: boolean | undefined): void {
  if ('window' in globalThis && 'document' in globalThis && allowed !== true) {
    throw new ConfigurationError(
      'dangerouslyAllowBrowser: in a browser everyone who sees the page can read the key; call the service from a server, or set this option to true',
    );
  }
}
