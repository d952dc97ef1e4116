/** What the client and the local service say about their options, in the words of the flags. */
export function inWordsOfFlags(text: string): string {
  return text
    .replace('set allowInsecureHttp to true', 'give --allow-insecure-http')
    .replace('the option state', '--state');
}
