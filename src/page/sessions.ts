import { createHash, randomBytes } from 'node:crypto';

/** What a session may do. */
export type PageScope = 'read-only' | 'read-write';

/** A browser that is signed in. */
export interface Session {
  readonly id: string;
  readonly scope: PageScope;
}

/** More would only be kept for browsers that are long gone. */
const mostSessions = 100;

/** Who is signed in, as long as the service runs; nothing is written down. */
export class Sessions {
  /** Cookies do not know ports: services on one host must not overwrite each other's. */
  readonly #cookie = `data-quality-${randomBytes(4).toString('hex')}`;
  readonly #links = new Map<string, PageScope>();
  readonly #sessions = new Map<string, Session>();

  /** Makes a token that signs in once. */
  createLink(scope: PageScope): string {
    const token = secret();
    this.#links.set(digest(token), scope);
    return token;
  }

  /** Uses up a token; returns `undefined` if it was used before, or never made. */
  redeem(token: string): PageScope | undefined {
    const key = digest(token);
    const scope = this.#links.get(key);
    this.#links.delete(key);
    return scope;
  }

  /** Begins a session and returns the cookie of it. */
  begin(scope: PageScope, path: string): string {
    const token = secret();
    const id = digest(token);
    this.#sessions.set(id, { id, scope });
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= mostSessions) break;
      this.#sessions.delete(oldest);
    }
    return this.#write(token, path);
  }

  /** Finds the session of a request's cookies. */
  find(cookies: string | null): Session | undefined {
    const found = (cookies ?? '')
      .split(';')
      .map((pair) => pair.trim().split('='))
      .find(([name]) => name === this.#cookie);
    return found?.[1] === undefined ? undefined : this.#sessions.get(digest(found[1]));
  }

  /** Ends a session. */
  end({ id }: Session): void {
    this.#sessions.delete(id);
  }

  /** Returns the cookie that makes a browser forget its session. */
  forget(path: string): string {
    return `${this.#write('', path)}; Max-Age=0`;
  }

  #write(value: string, path: string): string {
    return `${this.#cookie}=${value}; Path=${path}; HttpOnly; SameSite=Strict`;
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** How long the search for a digest takes says nothing about the secret. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
