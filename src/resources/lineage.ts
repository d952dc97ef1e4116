import { lineageEndpoints, type LineageUpload } from '../contract/lineage.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { Call } from '../http/call.ts';
import type { FileInput, FileSource } from '../http/multipart.ts';
import type { RequestOptions } from '../http/settings.ts';

/** A manifest to upload: a path or `file:` URL (streamed from disk), a Blob, bytes, or the parsed object. */
export type ManifestSource = FileSource;

/** How an uploaded manifest is named. */
export interface UploadOptions {
  /**
   * The file name that the upload names.
   *
   * @default the name of the file, else `manifest.json`
   */
  readonly filename?: string | undefined;
}

/** Lineage: where the data of an asset comes from. */
export class LineageResource {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Uploads a dbt manifest: a path or `file:` URL (streamed from disk, so memory does not grow with the file), a
   * Blob, bytes, or the parsed object. Needs the scope `read-write`. An attempt may take 300,000 ms by default.
   *
   * @throws {InvalidRequestError} if the file can't be read.
   *
   * @example
   * const { sync_stats } = await client.lineage.upload(assetId, 'target/manifest.json');
   */
  upload(
    assetId: string,
    manifest: ManifestSource,
    { filename }: UploadOptions = {},
    options?: RequestOptions,
  ): ApiPromise<LineageUpload> {
    const body: FileInput = { source: manifest, filename };
    return this.#call(lineageEndpoints.upload, { params: { asset_id: assetId }, body }, options);
  }
}
