// The page that a running service shows in a browser: the report, live, with buttons.

import { Problem } from '../service/problem.ts';
import { createIdentify, type Keys } from '../service/scope.ts';
import type { Service } from '../service/service.ts';
import type { Asset } from '../service/store.ts';
import { isOwnHost } from '../server/own-host.ts';
import type { State } from '../server/state.ts';
import { act } from './actions.ts';
import { ChangeStream } from './change-stream.ts';
import { readDeliveries } from './deliveries.ts';
import { htmlResponse, isFromPage, isNavigation, notePage, refused } from './http.ts';
import { LiveReport } from './live-report.ts';
import { type PageScope, type Session, Sessions } from './sessions.ts';
import { signInPage } from './sign-in.ts';
import { renderFragment, renderLivePage, type View } from './view.ts';

/** What the page works with. */
export interface PageOptions {
  readonly assets: readonly Asset[];
  readonly state: State;
  /** The keys that may sign in. */
  readonly keys: Keys;
  /** The service without its rate limits, with keys of its own. */
  readonly inside: { readonly service: Service; readonly keys: Keys };
  /** The host name or address that the service listens on. */
  readonly host: string;
  /** Called with what failed without a response that reports it. */
  readonly onError: (error: unknown) => void;
}

/** The page of a running service. */
export interface Page {
  /** Returns the response to a request for one of the paths of the page; `undefined` if it has a key: then it is for the interface. */
  respond(request: Request): Promise<Response | undefined>;
  /** Returns a path with a token that signs one browser in, once. */
  createLink(scope: PageScope): string;
  /** Tells every open page that something changed. */
  changed(): void;
  /** Ends the streams of all open pages. */
  close(): void;
}

const cookiePath = '/';

/** Creates the page. */
export function createPage(options: PageOptions): Page {
  const sessions = new Sessions();
  const identify = createIdentify(options.keys);
  const live = new LiveReport(options);
  const changes = new ChangeStream(
    () => live.expire(),
    () => live.lastDuration,
  );

  const show = async (session: Session, url: URL): Promise<View> => {
    const wanted = { asset: url.searchParams.get('asset'), table: url.searchParams.get('table') };
    const [report, deliveries] = await Promise.all([live.read(), readDeliveries(options.state)]);
    return { report, deliveries, wanted, canWrite: session.scope === 'read-write', assets: options.assets };
  };

  const enter = (scope: PageScope): Response =>
    // Not a redirect: a link in a mail or a chat is followed from another site, and so would be the redirect, without
    // the cookie. What this page leads to is asked for by the page itself.
    notePage({
      status: 200,
      title: 'Signed in',
      text: 'The page opens by itself.',
      headers: { 'Set-Cookie': sessions.begin(scope, cookiePath), Refresh: '0; url=/' },
    });

  const open = (request: Request, url: URL): Response => {
    // Whatever looks at a link before its reader does, does not use it up.
    if (request.method !== 'GET' || !isNavigation(request)) return refused();
    const scope = sessions.redeem(url.searchParams.get('token') ?? '');
    return scope === undefined ? usedLink() : enter(scope);
  };

  const signIn = async (request: Request): Promise<Response> => {
    const key = (await readForm(request)).get('key') ?? '';
    const credential = identify(new Request(request.url, { headers: { Authorization: `Bearer ${key}` } }));
    if (credential === undefined) return signInPage('This is not a key of this service.');
    return enter(credential.scope === 'read-only' ? 'read-only' : 'read-write');
  };

  const inSession = async (request: Request, url: URL, session: Session): Promise<Response | undefined> => {
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /':
        return htmlResponse(renderLivePage(await show(session, url)));
      case 'GET /page/content':
        return htmlResponse(renderFragment(await show(session, url)));
      case 'GET /page/changes':
        return changes.open();
      case 'POST /page/check':
      case 'POST /page/capture':
      case 'POST /page/accept': {
        const response = await act(url.pathname.slice('/page/'.length), await readForm(request), {
          client: live.clientOf(session.scope),
          keepSamples: (rule, samples) => live.keepSamples(rule, samples),
        });
        live.expire();
        return response;
      }
      case 'POST /page/sign-out':
        sessions.end(session);
        return new Response(null, {
          status: 303,
          headers: { Location: '/', 'Set-Cookie': sessions.forget(cookiePath) },
        });
      default:
        return undefined;
    }
  };

  const respond = async (request: Request): Promise<Response | undefined> => {
    const url = new URL(request.url);
    // With a key it is a program that calls the interface, where there is nothing of the page.
    if (request.headers.has('Authorization')) return undefined;
    if (!isOwnHost(request, options.host)) return refused();
    if (url.pathname === '/page/open') return open(request, url);
    // Browsers ask for a picture of their own accord, and report in their console that there is none.
    if (url.pathname === '/favicon.ico') return new Response(null, { status: 204 });
    // Everything but the page itself is asked for by the page.
    const isPage = url.pathname === '/' && request.method === 'GET';
    if (isPage ? !isNavigation(request) : !isFromPage(request)) return refused();
    try {
      if (`${request.method} ${url.pathname}` === 'POST /page/sign-in') return await signIn(request);
      const session = sessions.find(request.headers.get('Cookie'));
      if (session === undefined) return isPage ? signInPage() : refused(401);
      return (await inSession(request, url, session)) ?? refused(404);
    } catch (error) {
      if (error instanceof Problem)
        return notePage({ status: error.status, title: 'Not possible', text: error.message });
      options.onError(error);
      return notePage({
        status: 500,
        title: 'It failed',
        text: 'The service could not show this. Its log has the reason.',
      });
    }
  };

  return {
    respond,
    createLink: (scope) => `/page/open?token=${sessions.createLink(scope)}`,
    changed: () => changes.report(),
    close: () => changes.close(),
  };
}

function usedLink(): Response {
  return notePage({
    status: 403,
    title: 'The link is used up',
    text: 'A link opens the page once. Sign in with a key instead, or start the service again for a new link.',
    link: '/',
  });
}

/** Forms of the page are small. */
const mostBytes = 10_000;

async function readForm(request: Request): Promise<URLSearchParams> {
  const tooLarge = new Problem({ status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The form is too large' });
  if (Number(request.headers.get('Content-Length') ?? 0) > mostBytes) throw tooLarge;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of request.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostBytes) throw tooLarge;
  }
  return new URLSearchParams(text);
}
