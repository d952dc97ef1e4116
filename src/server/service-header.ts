import type { Service } from '../service/service.ts';

/** Makes every response say that it comes from the local service, so that clients know what its own endpoints are for. */
export function withServiceHeader(service: Service): Service {
  return async (request) => {
    const response = await service(request);
    response.headers.set('X-Data-Quality-Service', 'local');
    return response;
  };
}
