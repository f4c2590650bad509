import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { type BenchBot, BOTS, CHANNEL_ID, WALLET_DELAY_MS } from "./bench-world.ts";
import type { LooksResult, PostsResult } from "./load-messages.ts";
import { idOfToken, message, quietAnswer, salesReport, snowflake } from "./payloads.ts";

const GLOBAL_PER_SECOND = 50;
const DEFERRED = 5;
/** A part of "líquido", which both bots' answers with sales name and no error does. */
const SALES = /quido/;

interface RestEvents {
  readonly gatewayUrl: string;
  /** `final`: the callback already holds the content, instead of deferring it. `isRight`: with the day's sales. */
  readonly onCallback: (interactionId: string, final: boolean, isRight: boolean) => void;
  readonly onEdit: (interactionId: string, isRight: boolean) => void;
}

interface BenchRest {
  readonly port: number;
  readonly setRoundTrip: (ms: number) => void;
  readonly posts: (reset: boolean) => PostsResult;
  readonly looks: (reset: boolean) => LooksResult;
}

/** The part of Discord's REST API that both bots use and the wallet's sales report, on one port. */
export const startBenchRest = async (events: RestEvents): Promise<BenchRest> => {
  const commands = new Map<string, string>();
  const global = limitGlobally();
  const posts = countPosts();
  const looks = countLooks();
  let made = 0;
  let roundTripMs = 0;

  const later = (answer: () => void): void => {
    if (roundTripMs === 0) answer();
    else setTimeout(answer, roundTripMs);
  };

  const discord = ({ method, path, head, body, answer }: LeanRequest): void => {
    const [, , , resource = "", id = "", third = ""] = path.replace(/\?.*/, "").split("/");
    if (resource === "interactions") {
      const final = (JSON.parse(body) as { type: number }).type !== DEFERRED;
      events.onCallback(id, final, SALES.test(body));
      return later(() => answer(204));
    }
    if (resource === "webhooks") {
      events.onEdit(idOfToken(third), SALES.test(body));
      const edited = message(botOf(id), "1193000000000000000", CHANNEL_ID);
      return later(() => answer(200, edited));
    }
    if (method === "GET" && path.includes("/gateway/bot"))
      return answer(200, gatewayBot(events.gatewayUrl));
    if (resource === "applications" && id === "@me") return answer(200, applicationOf(head));
    if (resource === "applications" && third === "commands") {
      if (method === "PUT") commands.set(id, withIds(body, id));
      return answer(200, commands.get(id) ?? "[]");
    }
    const waitMs = global.take(performance.now());
    if (waitMs !== undefined) {
      posts.refused();
      return refuse(answer, waitMs);
    }
    if (method === "GET" && third === "members")
      return answer(200, `{"user":{"id":"${path.split("/").at(-1)}"},"roles":[]}`);
    if (method === "GET" && resource === "guilds" && third === "")
      return answer(200, `{"id":"${id}","name":"Loja ${id.slice(-4)}"}`);
    if (method === "POST" && resource === "channels") {
      posts.took(performance.now(), head.includes("multipart/form-data"));
      return answer(
        200,
        message(BOTS.ours, snowflake(Date.now(), ++made), id),
        `x-ratelimit-bucket: ${id}\r\nx-ratelimit-limit: 5\r\nx-ratelimit-remaining: 4\r\nx-ratelimit-reset-after: 1.0\r\n`,
      );
    }
    answer(404, '{"message":"404: Not Found","code":0}');
  };

  const server = createLeanServer((request) => {
    if (!request.path.startsWith("/v1/")) return discord(request);
    const quiet = quietAnswer(request.path);
    if (quiet !== undefined) {
      looks.took(performance.now());
      setTimeout(() => request.answer(200, quiet, "x-request-id: req_bench\r\n"), WALLET_DELAY_MS);
      return;
    }
    const date = decodeURIComponent(/[?&]date=([^&]*)/.exec(request.path)?.[1] ?? "");
    setTimeout(
      () => request.answer(200, salesReport(date), "x-request-id: req_bench\r\n"),
      WALLET_DELAY_MS,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    posts: posts.report,
    looks: looks.report,
    setRoundTrip: (ms) => {
      roundTripMs = ms;
    },
  };
};

const botOf = (applicationId: string): BenchBot =>
  applicationId === BOTS.ours.applicationId ? BOTS.ours : BOTS.yardstick;

const applicationOf = (head: string): string => {
  const { applicationId } = head.includes(BOTS.ours.token) ? BOTS.ours : BOTS.yardstick;
  return `{"id":"${applicationId}","name":"Balcão","flags":0,"bot":{"id":"${applicationId}"}}`;
};

const gatewayBot = (url: string): string =>
  JSON.stringify({
    url,
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
  });

const withIds = (body: string, applicationId: string): string =>
  JSON.stringify(
    (JSON.parse(Buffer.from(body, "latin1").toString("utf8")) as object[]).map(
      (command, index) => ({
        ...command,
        id: `119400000000000000${index % 10}`,
        application_id: applicationId,
        version: "1",
        type: 1,
      }),
    ),
  );

const refuse = (answer: LeanRequest["answer"], waitMs: number): void =>
  answer(
    429,
    JSON.stringify({
      message: "You are being rate limited.",
      retry_after: waitMs / 1000,
      global: true,
    }),
    `retry-after: ${Math.ceil(waitMs / 1000)}\r\nx-ratelimit-global: true\r\nx-ratelimit-scope: global\r\n`,
  );

const SLICE_MS = 10_000;

/** Counts background calls since the last reset, in buckets of ten seconds. */
const countLooks = () => {
  let beginMs = performance.now();
  let slices: number[] = [];
  return {
    took: (now: number): void => {
      const slice = Math.floor((now - beginMs) / SLICE_MS);
      slices[slice] = (slices[slice] ?? 0) + 1;
    },
    report: (reset: boolean): LooksResult => {
      const now = performance.now();
      const whole = Math.floor((now - beginMs) / SLICE_MS);
      const perTenSeconds = Array.from({ length: whole }, (_, index) => slices[index] ?? 0);
      if (reset) [beginMs, slices] = [now, []];
      return { perTenSeconds };
    },
  };
};

/**
 * Discord's global limit of 50 requests a second, which excludes interaction routes. A second begins with its first
 * request.
 */
const limitGlobally = () => {
  let windowStart = -Infinity;
  let inWindow = 0;
  return {
    /** Milliseconds to wait once the second is used up. */
    take: (now: number): number | undefined => {
      if (now >= windowStart + 1000) [windowStart, inWindow] = [now, 0];
      return ++inWindow > GLOBAL_PER_SECOND ? windowStart + 1000 - now : undefined;
    },
  };
};

const countPosts = () => {
  const none: PostsResult = { posted: 0, pictures: 0, refused: 0, seconds: 0, lastAt: 0 };
  let result = none;
  let first = 0;
  return {
    refused: (): void => {
      result = { ...result, refused: result.refused + 1 };
    },
    took: (now: number, pictured: boolean): void => {
      if (result.posted === 0) first = now;
      const lastAt = performance.timeOrigin + now;
      result = {
        ...result,
        posted: result.posted + 1,
        pictures: result.pictures + (pictured ? 1 : 0),
        seconds: (now - first) / 1000,
        lastAt,
      };
    },
    report: (reset: boolean): PostsResult => {
      const told = result;
      if (reset) result = none;
      return told;
    },
  };
};

interface LeanRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** Request line and headers, unparsed. */
  readonly head: string;
  /** Latin-1: one character per byte, enough to parse JSON for its structure. */
  readonly body: string;
  /** Each of `headers` is a whole line with its line end. */
  readonly answer: (status: number, body?: string, headers?: string) => void;
}

const HEAD_END = "\r\n\r\n";
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/**
 * HTTP/1.1 with keep-alive only: on two cores the load server must not use the CPU time that is being measured. Each
 * connection has one request in flight, as undici's default has.
 */
const createLeanServer = (handle: (request: LeanRequest) => void): Server =>
  createServer({ noDelay: true }, (socket) => {
    let pending = "";
    socket.setEncoding("latin1");
    // Bots are killed between measurements, so broken connections are expected.
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
