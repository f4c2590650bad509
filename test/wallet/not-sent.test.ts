import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer as createSecureServer } from "node:https";
import { createServer } from "node:net";

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";

import { listenOnLoopback } from "./answering-server.ts";
import { moneyCalls, moneyNames } from "./calls.ts";
import { selfSigned } from "./self-signed.ts";
import { API_KEY, connectClient, walletKey } from "./wallet-setup.ts";

const CHANNEL = "undici:client:sendHeaders";

/** Counts requests whose headers undici is about to write, by undici's diagnostics channel. */
let announced = 0;
const count = () => {
  announced += 1;
};

beforeEach(() => {
  announced = 0;
  subscribe(CHANNEL, count);
});

afterEach(() => {
  unsubscribe(CHANNEL, count);
});

/** A port that accepts connections, sends `greeting` and records its input. */
const startListener = async (greeting?: string) => {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("data", (chunk: Buffer) => {
      heard.push(chunk);
      if (greeting !== undefined) socket.end(greeting);
    });
  });
  const { port, stop } = await listenOnLoopback(server);
  onTestFinished(stop);
  return { port, heard: () => Buffer.concat(heard).toString("latin1") };
};

/** The request must be absent: a listener may only hear the start of a TLS handshake, before any HTTP. */
const expectNothingOfTheRequest = (heard: string): void => {
  for (const part of ["POST", "HTTP/1.1\r\n", "/v1/", API_KEY, "pixKey", "txid"]) {
    expect(heard).not.toContain(part);
  }
};

/** A service behind an untrusted certificate. */
const startUntrusted = async () => {
  let requests = 0;
  const server = createSecureServer(selfSigned(), (_request, response) => {
    requests += 1;
    response.end();
  });
  const { port, stop } = await listenOnLoopback(server);
  onTestFinished(stop);
  return { baseUrl: `https://127.0.0.1:${port}`, requests: () => requests };
};

describe.each(moneyNames)("%s", (name) => {
  test("to a port where nobody listens was not sent", async () => {
    const { client } = connectClient("http://127.0.0.1:1");

    expect(await moneyCalls[name](client, walletKey())).toMatchObject({
      state: "not_sent",
      reason: "unreachable",
      errorCode: "ECONNREFUSED",
    });
    expect(announced).toBe(0);
  });

  test("to a name that does not exist was not sent", async () => {
    const { client } = connectClient("http://carteira.invalid");

    expect(await moneyCalls[name](client, walletKey())).toMatchObject({
      state: "not_sent",
      reason: "unreachable",
    });
    expect(announced).toBe(0);
  });

  test("by TLS to somebody who speaks plain HTTP was not sent", async () => {
    const listener = await startListener("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    const { client } = connectClient(`https://127.0.0.1:${listener.port}`);

    expect(await moneyCalls[name](client, walletKey())).toMatchObject({
      state: "not_sent",
      reason: "unreachable",
    });
    expect(announced).toBe(0);
    expectNothingOfTheRequest(listener.heard());
  });

  test("to somebody whose certificate nobody trusts was not sent", async () => {
    const { baseUrl, requests } = await startUntrusted();
    const { client } = connectClient(baseUrl);

    expect(await moneyCalls[name](client, walletKey())).toMatchObject({
      state: "not_sent",
      reason: "unreachable",
    });
    expect(announced).toBe(0);
    expect(requests()).toBe(0);
  });
});

/** All at once: undici looks about once a second for connections that are past their time limit. */
test("none of them was sent to somebody who never finishes the connection", async () => {
  const listener = await startListener();
  const limits = { connectTimeoutMs: 200 };
  const { client } = connectClient(`https://127.0.0.1:${listener.port}`, limits);

  const verdicts = moneyNames.map((name) => moneyCalls[name](client, walletKey()));

  for (const verdict of await Promise.all(verdicts))
    expect(verdict).toMatchObject({
      state: "not_sent",
      reason: "unreachable",
      errorCode: "UND_ERR_CONNECT_TIMEOUT",
    });
  expect(announced).toBe(0);
  expectNothingOfTheRequest(listener.heard());
});
