import type { Page, PageOptions } from '../page/page.ts';
import type { PageScope } from '../page/sessions.ts';
import type { Service } from '../service/service.ts';

/** The page of a service, which is loaded when somebody asks for it. */
export class LazyPage {
  readonly #options: PageOptions;
  #page: Promise<Page> | undefined;
  #loaded: Page | undefined;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** A service that also shows the page. */
  beside(service: Service): Service {
    return async (request) => {
      const { pathname } = new URL(request.url);
      if (!/^\/(?:favicon\.ico|page\/.*)?$/.test(pathname)) return service(request);
      const page = await this.#load();
      return (await page.respond(request)) ?? service(request);
    };
  }

  /** Returns a path that signs one browser in, once. */
  async createLink(scope: PageScope): Promise<string> {
    return (await this.#load()).createLink(scope);
  }

  /** Tells open pages that something changed. */
  changed(): void {
    this.#loaded?.changed();
  }

  /** Ends the streams of open pages. */
  close(): void {
    this.#loaded?.close();
  }

  async #load(): Promise<Page> {
    this.#page ??= import('../page/page.ts').then(({ createPage }) => {
      this.#loaded = createPage(this.#options);
      return this.#loaded;
    });
    return this.#page;
  }
}
