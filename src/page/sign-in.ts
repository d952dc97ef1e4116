import { html } from '../report/markup.ts';
import { htmlResponse, plainPage } from './http.ts';

/** The page for a browser that is not signed in: it shows nothing of the service. */
export function signInPage(problem?: string): Response {
  const content = html`${problem !== undefined && html`<p class="failed" role="alert">${problem}</p>`}
    <p>
      Open the link that <code>dq serve</code> printed, or sign in with a key. A read-only key shows
      everything and changes nothing.
    </p>
    <form method="post" action="/page/sign-in" class="sign-in">
      <label>Key <input type="password" name="key" required autocomplete="current-password" /></label>
      <button>Sign in</button>
    </form>`;
  return htmlResponse(plainPage('Data quality', content), 401);
}
