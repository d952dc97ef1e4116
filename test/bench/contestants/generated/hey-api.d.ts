export interface Client {
  readonly interceptors: unknown;
}

export function createClient(config: { baseUrl: string; headers: Record<string, string> }): Client;

export function getRule(options: {
  client: Client;
  path: { asset_id: string; rule_id: string };
  signal: AbortSignal;
  throwOnError: true;
}): Promise<{ data: { data: unknown } }>;

export function listSnapshots(options: {
  client: Client;
  path: { asset_id: string; metric_id: string };
  query: { limit: number; offset: number };
  signal: AbortSignal;
  throwOnError: true;
}): Promise<{ data: { data: { items: unknown[] }; pagination: { has_more: boolean } } }>;
