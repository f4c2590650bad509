import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { DiscordState } from "../state.ts";
import { answerWrongly, type Fault, type Faults } from "../../faults.ts";
import { listenOnLoopback, readBody } from "../../loopback-server.ts";
import type { RecordedRequest } from "../../recorder.ts";
import type { Discord } from "./call.ts";
import { ApiError, errorBody, invalidJson, tooLarge, unauthorized } from "../api-errors.ts";
import { findRoute, type FoundRoute } from "./routes.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { UploadedFile } from "../message-body.ts";
import { APPLICATION } from "../../world.ts";

const sendFile = (state: DiscordState, path: string, response: ServerResponse): boolean => {
  const file = state.files.get(path);
  if (file === undefined) return false;
  // The page has another origin, where a link's `download` has no effect: this header makes the browser save.
  const disposition = file.type.startsWith("image/") ? "inline" : "attachment";
  const headers = {
    "content-type": file.type,
    "content-disposition": disposition,
    "x-content-type-options": "nosniff",
  };
  response.writeHead(200, headers).end(file.data);
  return true;
};

/** Reports a defect of the local Discord itself on the console and to the client. */
const answerMistake = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (request.errored) {
    response.destroy();
    return;
  }
  console.error("The local Discord made a mistake", error);
  if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
  response.end(JSON.stringify({ message: String(error), code: 0 }));
};

/** Listens on 127.0.0.1 for REST, downloads and the gateway. */
export const startServer = async (parts: RestParts) => {
  const { state, gateway } = parts.discord;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method === "GET" && sendFile(state, request.url ?? "", response)) return;
    answerRest(request, response, parts).catch((error: unknown) =>
      answerMistake(error, request, response),
    );
  });
  server.on("upgrade", gateway.upgrade);
  const { port, stop } = await listenOnLoopback(server);
  state.origin = `http://127.0.0.1:${port}`;
  return {
    port,
    stop: async (): Promise<void> => {
      gateway.stop();
      await stop();
    },
  };
};

interface RestParts {
  readonly discord: Discord;
  readonly limits: RateLimits;
  readonly faults: Faults;
  readonly log: ReturnType<typeof createRequestLog>;
  readonly record: ((request: RecordedRequest) => void) | undefined;
}

/** The answer of a request without a fault. */
interface Outgoing {
  readonly status: number;
  readonly code?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const refused = (error: ApiError): Outgoing => ({
  status: error.status,
  code: error.code,
  headers: error.headers,
  body: errorBody(error),
});

const POST_MESSAGE = "/channels/{id}/messages";

/** Authorises, counts and handles a request. */
const perform = (
  { discord, limits }: RestParts,
  { route, params }: FoundRoute,
  authorization: string | undefined,
  url: URL,
  body: RequestBody,
): Outgoing => {
  let headers = {};
  if (route.access === "bot") {
    if (authorization !== `Bot ${APPLICATION.token}`) throw unauthorized();
    limits.spend();
    if (route.method === "POST" && route.path === POST_MESSAGE) {
      headers = limits.spendPost(params["id"] ?? "");
    }
  }
  const call = { params, query: url.searchParams, body: body.json, files: body.files };
  try {
    const answer = route.handle(call, discord);
    return { status: answer === undefined ? 204 : 200, headers, body: answer };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...refused(error), headers: { ...headers, ...error.headers } };
  }
};

const send = (response: ServerResponse, discord: Discord, outgoing: Outgoing): void => {
  const date = new Date(discord.state.clock.now().epochMilliseconds).toUTCString();
  const headers: Record<string, string> = { date, ...outgoing.headers };
  if (outgoing.body === undefined) {
    response.writeHead(outgoing.status, headers).end();
    return;
  }
  headers["content-type"] = "application/json";
  response.writeHead(outgoing.status, headers).end(JSON.stringify(outgoing.body));
};

const wrongStatus = (fault: Fault): number | undefined => {
  if (fault.kind === "status") return fault.status;
  if (fault.kind === "html") return fault.status ?? 200;
  return fault.kind === "broken_json" ? 200 : undefined;
};

/** Serves one request, from its first byte to its answer or to an injected fault. */
const answerRest = async (
  request: IncomingMessage,
  response: ServerResponse,
  parts: RestParts,
): Promise<void> => {
  const { discord, faults, log, record } = parts;
  const method = request.method ?? "GET";
  const path = request.url ?? "/";
  const url = new URL(path, "http://localhost");
  let name = `${method} ${url.pathname}`;
  let body = NOTHING;
  let fault: Fault | undefined;
  let outgoing: Outgoing | undefined;
  try {
    body = await parseBody(request);
    const found = findRoute(method, url.pathname);
    name = `${method} ${found.route.path}`;
    fault = faults.next(name);
    if (fault?.at !== "before") {
      outgoing = perform(parts, found, request.headers.authorization, url, body);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    outgoing = refused(error);
  }
  const recorded: RecordedRequest = {
    method,
    path,
    body: body.json,
    files: body.files.map(({ field, index, name: file, type, data }) => ({
      field,
      index,
      name: file,
      size: data.length,
      type,
    })),
  };
  record?.(recorded);
  log.add({
    ...recorded,
    route: name,
    status: fault === undefined ? outgoing?.status : wrongStatus(fault),
    code: fault === undefined ? outgoing?.code : undefined,
    faulty: fault !== undefined,
    at: discord.state.clock.now(),
  });
  if (fault !== undefined) answerWrongly(fault, response);
  else if (outgoing !== undefined) send(response, discord, outgoing);
};

const MOST_BYTES = 25 * 1_024 * 1_024;

interface RequestBody {
  /** Null for an empty body. */
  readonly json: unknown;
  readonly files: readonly UploadedFile[];
}

const NOTHING: RequestBody = { json: null, files: [] };

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
};

const parseMultipart = async (bytes: Buffer, type: string): Promise<RequestBody> => {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { "content-type": type },
  }).formData();
  const files: UploadedFile[] = [];
  const fields: Record<string, string> = {};
  for (const [field, value] of form) {
    if (typeof value === "string") {
      fields[field] = value;
      continue;
    }
    const data = Buffer.from(await value.arrayBuffer());
    const index = /^files\[(\d+)\]$/.exec(field)?.[1];
    files.push({
      field,
      index: index === undefined ? null : Number(index),
      name: value.name,
      type: value.type,
      data,
    });
  }
  const { payload_json: payload, ...rest } = fields;
  return { json: payload === undefined ? rest : parseJson(payload), files };
};

/**
 * Reads JSON, or multipart with `payload_json`.
 * @throws ApiError 40005 for a too large body, 50109 for malformed JSON.
 */
const parseBody = async (request: IncomingMessage): Promise<RequestBody> => {
  const bytes = await readBody(request, MOST_BYTES);
  if (bytes === undefined) throw tooLarge();
  if (bytes.length === 0) return NOTHING;
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) {
    return { json: parseJson(bytes.toString("utf8")), files: [] };
  }
  try {
    return await parseMultipart(bytes, type);
  } catch {
    throw invalidJson();
  }
};

const KEPT = 10_000;

/** The last 10,000 requests, oldest first. */
export const createRequestLog = () => {
  let kept: AnsweredRequest[] = [];
  return {
    add: (request: AnsweredRequest): void => {
      kept.push(request);
      if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT);
    },
    all: (): readonly AnsweredRequest[] => kept.slice(-KEPT),
  };
};

export interface AnsweredRequest extends RecordedRequest {
  /** Method and route, e.g. `POST /channels/{id}/messages`; the plain path for an unknown route. */
  readonly route: string;
  /** Undefined for a broken or hanging connection. */
  readonly status: number | undefined;
  /** Discord's error code of a refused request. */
  readonly code: number | undefined;
  /** Whether a fault was injected. */
  readonly faulty: boolean;
  readonly at: Temporal.Instant;
}
