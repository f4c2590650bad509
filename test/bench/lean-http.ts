import { createServer, type Server, type Socket } from "node:net";

export interface LeanRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Request line and headers as they came. */
  readonly head: string;
  /** Each character is one byte; enough to parse JSON whose structure is what matters. */
  readonly body: string;
  /** Answers; `headers` are whole lines, each with its line end. */
  readonly answer: (status: number, body?: string, headers?: string) => void;
}

const HEAD_END = "\r\n\r\n";
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/**
 * HTTP/1.1 with keep-alive and nothing else: on two cores the load server must not take the time that is measured.
 * Each connection has one request in flight, as undici's default is.
 */
export const createLeanServer = (handle: (request: LeanRequest) => void): Server =>
  createServer({ noDelay: true }, (socket) => {
    let pending = "";
    socket.setEncoding("latin1");
    // Bots are killed between measurements; a connection that ends so is no news.
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: string) => {
      pending += chunk;
      for (;;) {
        const headEnd = pending.indexOf(HEAD_END);
        if (headEnd < 0) return;
        const head = pending.slice(0, headEnd);
        if (CHUNKED.test(head)) throw new Error("The load server reads no chunked bodies");
        const end = headEnd + HEAD_END.length + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
        if (pending.length < end) return;
        const body = pending.slice(headEnd + HEAD_END.length, end);
        pending = pending.slice(end);
        handle({ ...requestLine(head), head, body, answer: answerOn(socket) });
      }
    });
  });

const requestLine = (head: string): { readonly method: string; readonly path: string } => {
  const afterMethod = head.indexOf(" ");
  const afterPath = head.indexOf(" ", afterMethod + 1);
  return { method: head.slice(0, afterMethod), path: head.slice(afterMethod + 1, afterPath) };
};

const answerOn =
  (socket: Socket): LeanRequest["answer"] =>
  (status, body = "", headers = "") => {
    if (socket.destroyed) return;
    const length = status === 204 ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
    const type = body === "" ? "" : "content-type: application/json\r\n";
    socket.write(`HTTP/1.1 ${status} -\r\n${type}${length}${headers}\r\n${body}`);
  };
