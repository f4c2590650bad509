import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** One file part of a multipart request. */
interface RecordedFile {
  readonly field: string;
  /** n of `files[n]`; null for any other field name. */
  readonly index: number | null;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly type: string;
}

/** One request as it went over the wire. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  /** The parsed JSON body, or the parsed `payload_json` part of a multipart body. */
  readonly body: unknown;
  readonly files: readonly RecordedFile[];
}

/** Writes each request as one line of JSON at the end of `file`. */
export const createRecorder = (file: string) => {
  const stream = createWriteStream(file, { flags: "a" });
  return {
    record: (request: RecordedRequest): void => {
      stream.write(`${JSON.stringify(request)}\n`);
    },
    /** Resolves when every line is in the file. */
    close: async (): Promise<void> => {
      stream.end();
      await once(stream, "close");
    },
  };
};
