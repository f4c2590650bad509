import { constants, createSecureServer } from "node:http2";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { Agent } from "#src/shared/http-request.ts";
import { sendRequest } from "#src/wallet/http.ts";
import { listenOnLoopback } from "./answering-server.ts";
import { moneyCalls, moneyNames } from "./calls.ts";
import { selfSigned } from "./self-signed.ts";
import { connectClient, walletKey } from "./wallet-setup.ts";

const identity = selfSigned();
const trusted = getCACertificates("default");

beforeAll(() => {
  setDefaultCACertificates([...trusted, identity.cert]);
});

afterAll(() => {
  setDefaultCACertificates(trusted);
});

/**
 * A service that executes requests and denies it on HTTP/2: `REFUSED_STREAM` allows a client to send again, and undici
 * does.
 */
const startLyingPeer = async () => {
  const carriedOut = { overHttp1: 0, overHttp2: 0 };
  const server = createSecureServer({ ...identity, allowHTTP1: true }, (request, response) => {
    if (request.httpVersion === "2.0") return;
    carriedOut.overHttp1 += 1;
    request.socket.destroy();
    response.destroy();
  });
  server.on("stream", (stream) => {
    carriedOut.overHttp2 += 1;
    stream.on("error", () => {});
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  });
  server.on("secureConnection", (socket) => socket.on("error", () => {}));
  const { port, stop } = await listenOnLoopback(server);
  onTestFinished(stop);
  return { baseUrl: `https://127.0.0.1:${port}`, carriedOut };
};

describe("a peer that lies about having refused a request", () => {
  test.each(moneyNames)("is not spoken to in HTTP/2, and gets one request: %s", async (name) => {
    const { baseUrl, carriedOut } = await startLyingPeer();
    const { client } = connectClient(baseUrl);

    expect(await moneyCalls[name](client, walletKey())).toHaveProperty("state", "unknown");
    expect(carriedOut).toEqual({ overHttp1: 1, overHttp2: 0 });
  });

  test("would get it twice from a client that speaks HTTP/2", async () => {
    const { baseUrl, carriedOut } = await startLyingPeer();
    const agent = new Agent({ allowH2: true, pipelining: 1 });
    onTestFinished(() => agent.destroy());
    const request = { origin: baseUrl, method: "POST", path: "/v1/withdraw" } as const;

    expect(
      await sendRequest(agent, { ...request, headers: {}, body: "{}" }, 10_000),
    ).toHaveProperty("complete", false);
    expect(carriedOut.overHttp2).toBeGreaterThan(1);
  });
});
