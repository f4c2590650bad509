import type { RecordedRequest } from "../recorder.ts";

/** One REST request and its answer. */
export interface AnsweredRequest extends RecordedRequest {
  /** Method and path with names for ids, e.g. `POST /channels/{id}/messages`; the plain path when it is not served. */
  readonly route: string;
  /** Undefined when the connection was broken or left hanging. */
  readonly status: number | undefined;
  /** Discord's error code, when it refused. */
  readonly code: number | undefined;
  /** Made to fail on purpose. */
  readonly faulty: boolean;
  readonly at: Temporal.Instant;
}
