import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { listenOnLoopback, readBody } from "../loopback-server.ts";
import { ANA, PEOPLE } from "../world.ts";
import { Act, createActs } from "./acts.ts";
import { avatarImage, buildView } from "./build-view.ts";
import {
  ClockMove,
  createClockMoves,
  createOutages,
  OutageAct,
  type PageBot,
} from "./demo-controls.ts";
import {
  ChargeAct,
  createWalletActs,
  MedAct,
  performChargeAct,
  performMedAct,
  Sale,
  WalletAct,
  watchWallet,
} from "./page-wallet.ts";
import { openPageFiles } from "./page-files.ts";
import type { PageSandbox, PageView } from "./page-view.ts";

const HOST = "127.0.0.1";

export type RunningPage = Awaited<ReturnType<typeof startPage>>;

/** Serves the page on 127.0.0.1 only. `port` 0: a free port. */
export const startPage = async (options: {
  readonly sandbox: PageSandbox;
  readonly port: number;
  /** Without it, the page cannot switch the bot. */
  readonly bot?: PageBot;
  /** Called after the page's request to start over is answered. */
  readonly onStartOver?: () => void;
}) => {
  const { sandbox, bot, onStartOver = () => {} } = options;
  const runId = randomUUID();
  const files = openPageFiles();
  const streams = createEventStreams();
  const acts = createActs(sandbox, streams.changed);
  const walletActs = createWalletActs(sandbox);
  const moveClock = createClockMoves(sandbox.clock);
  const outages = createOutages(sandbox, bot);
  const stopListening = [
    bot?.onChange(streams.changed),
    sandbox.discord.onChange(streams.changed),
    watchWallet(sandbox, streams.changed),
  ];

  const posts: Readonly<Record<string, (body: unknown, response: ServerResponse) => unknown>> = {
    "/act": (body) => acts.perform(Act.parse(body)),
    "/clock": async (body) => ({ outcome: await moveClock(ClockMove.parse(body)) }),
    "/sell": (body) => {
      const { count, ...sale } = Sale.parse(body);
      sandbox.wallet.sales({ ...sale, at: sandbox.clock.now() }, count);
      return {};
    },
    "/charge": (body) => ({ outcome: performChargeAct(sandbox, ChargeAct.parse(body)) }),
    "/med": (body) => ({ outcome: performMedAct(sandbox, MedAct.parse(body)) }),
    "/wallet": (body) => {
      const done = walletActs.perform(WalletAct.parse(body));
      streams.changed();
      return done;
    },
    "/outage": async (body) => {
      await outages.perform(OutageAct.parse(body)).finally(streams.changed);
      return {};
    },
    "/start-over": (_body, response) => {
      response.once("finish", onStartOver);
      return {};
    },
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", `http://${HOST}`);
    if (!isOurs(request, port))
      return answer(response, 403, "text/plain", "Only from this machine");
    if (request.method === "POST") {
      const post = posts[url.pathname];
      if (post === undefined) return answer(response, 404, "text/plain", "No such action");
      const result = await post(await readJson(request), response);
      return answer(response, 200, "application/json", JSON.stringify(result));
    }
    if (request.method !== "GET") return answer(response, 405, "text/plain", "GET or POST");
    if (url.pathname === "/events") {
      const asked = url.searchParams.get("person");
      const { id } = PEOPLE.find((person) => person.id === asked) ?? ANA;
      const read = () => {
        const wrong = { trouble: walletActs.trouble(), outages: outages.view() };
        const view: PageView = { runId, ...buildView(sandbox, id, acts.dismissed, wrong) };
        return JSON.stringify(view);
      };
      return streams.open(request, response, read);
    }
    const image = avatarImage(url.pathname);
    if (image !== undefined) return answer(response, 200, "image/svg+xml", image);
    const file = await files.read(url.pathname);
    if (file === undefined) return answer(response, 404, "text/plain", "Not found");
    return answer(response, 200, file.type, file.body, files.contentSecurityPolicy);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      const refused = error instanceof z.ZodError || error instanceof SyntaxError;
      return answer(response, refused ? 400 : 500, "text/plain", String(error));
    });
  });
  const { port, stop } = await listenOnLoopback(server, options.port);

  return {
    url: `http://${HOST}:${port}`,
    stop: async () => {
      for (const leave of stopListening) leave?.();
      streams.close();
      await stop();
    },
  };
};

/** Excludes requests from other sites in the same browser, and through host names rebound to this machine. */
const isOurs = (request: IncomingMessage, port: number): boolean => {
  const hosts = [`${HOST}:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host)) return false;
  if (request.method === "POST") return origin === `http://${host}`;
  return origin === undefined || origin === `http://${host}`;
};

const answer = (
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'",
): void => {
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": contentSecurityPolicy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  response.end(body);
};

const LARGEST_BODY = 64 * 1_024;

/** @throws SyntaxError for a body that is not JSON or is too long. */
const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const body = await readBody(request, LARGEST_BODY);
  if (body === undefined) throw new SyntaxError("The body is too long");
  return JSON.parse(body.toString());
};

/** Changes come in bursts (a message, its edit, the clock); each burst makes one push. */
const SETTLE_MS = 40;

/** Server-sent events: each listener gets its complete view after every change. */
const createEventStreams = () => {
  const listeners = new Map<ServerResponse, () => string>();
  let due: NodeJS.Timeout | undefined;

  const push = (response: ServerResponse, read: () => string): void => {
    response.write(`data: ${read()}\n\n`);
  };

  return {
    /** Keeps the response open and sends the result of `read`, now and after each change. */
    open: (request: IncomingMessage, response: ServerResponse, read: () => string): void => {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write("retry: 500\n\n");
      push(response, read);
      listeners.set(response, read);
      request.on("close", () => listeners.delete(response));
    },
    changed: (): void => {
      due ??= setTimeout(() => {
        due = undefined;
        for (const [response, read] of listeners) push(response, read);
      }, SETTLE_MS);
    },
    close: (): void => {
      clearTimeout(due);
      for (const response of listeners.keys()) response.end();
      listeners.clear();
    },
  };
};
