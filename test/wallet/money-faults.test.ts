import { describe, expect, test } from "vitest";

import { bytes, hang, reset, startAnsweringServer, type Answer } from "./answering-server.ts";
import { moneyCalls, moneyNames } from "./calls.ts";
import { connectClient, connectPatientClient, fixture, walletKey } from "./wallet-setup.ts";

const GOOD: Answer = { body: fixture("split-withdraw.normal") };
const LENGTH = "HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n";

/** What leaves open whether the service did it, and the code that is kept of it. */
const uncertain: Readonly<Record<string, readonly [Answer, string | RegExp]>> = {
  "a 500": [{ status: 500 }, "HTTP_500"],
  "a 500 that says it failed": [
    { status: 500, body: '{"success":false,"message":"Não."}' },
    "HTTP_500",
  ],
  "a 502 in HTML": [{ status: 502, body: "<html>" }, "HTTP_502"],
  "a 503 that says when": [{ status: 503, headers: { "retry-after": "1" } }, "HTTP_503"],
  "a 408": [{ status: 408 }, "HTTP_408"],
  "a 425": [{ status: 425 }, "HTTP_425"],
  "a 307": [{ status: 307, headers: { location: "/v1/split/withdraw" } }, "HTTP_307"],
  "a 308": [{ status: 308, headers: { location: "/v1/withdraw" } }, "HTTP_308"],
  "a 303": [{ status: 303, headers: { location: "/v1/withdrawals" } }, "HTTP_303"],
  "a reset after processing": [reset, "ECONNRESET"],
  "a clean end without an answer": [bytes(""), "UND_ERR_SOCKET"],
  "an answer that is no HTTP": [bytes("?\r\n\r\n"), "HTTPParserError"],
  "an endless header": [
    bytes(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}`),
    /^(UND_ERR_HEADERS_OVERFLOW|HTTPParserError)$/,
  ],
  silence: [hang, "DEADLINE"],
  "a body that stalls": [(socket) => void socket.write(`${LENGTH}{`), "DEADLINE"],
  "a body that is cut off": [bytes(`${LENGTH}{"success":true`), "UND_ERR_SOCKET"],
  "a body that is too long": [
    { body: fixture("split-withdraw.turbo").replace("{", `{"x":"${"x".repeat(2 << 20)}",`) },
    "UND_ERR_RES_EXCEEDED_MAX_SIZE",
  ],
  "truncated JSON": [{ body: fixture("split-withdraw.turbo").slice(0, -9) }, "UNREADABLE_ANSWER"],
  "HTML with a 2xx": [{ body: "<html>" }, "UNREADABLE_ANSWER"],
  "nothing with a 204": [{ status: 204 }, "UNREADABLE_ANSWER"],
  "a failure without a word": [{ body: '{"success":false}' }, "UNREADABLE_ANSWER"],
};

/** What says no, and what that is kept as. */
const refusals: Readonly<Record<number, string>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "invalid",
  415: "invalid",
  418: "refused",
  422: "invalid",
  429: "rate_limited",
};

describe.each(moneyNames)("%s", (name) => {
  test.each(Object.keys(uncertain))(
    "that meets %s is sent once, and may have been carried out",
    async (fault) => {
      const [answer, code] = uncertain[fault] ?? [GOOD, ""];
      const server = await startAnsweringServer(answer, GOOD);
      const { client, pastDeadline } = connectPatientClient(server);

      const verdict = moneyCalls[name](client, walletKey());
      if (code === "DEADLINE") await pastDeadline();

      expect(await verdict).toMatchObject({
        state: "unknown",
        errorCode: typeof code === "string" ? code : expect.stringMatching(code),
      });
      expect(server.received.map(({ method }) => method)).toEqual(["POST"]);
    },
  );

  test.each(Object.keys(refusals).map(Number))(
    "that is refused with %d is sent once, and surely not carried out",
    async (status) => {
      const body = '{"success":false,"message":"Não."}';
      const server = await startAnsweringServer({ status, body }, GOOD);
      const { client } = connectClient(server.baseUrl);

      expect(await moneyCalls[name](client, walletKey())).toMatchObject({
        state: "rejected",
        reason: refusals[status],
        httpStatus: status,
        requestId: "req_example",
        message: "Não.",
      });
      expect(server.received.map(({ method }) => method)).toEqual(["POST"]);
    },
  );

  test("that is answered too late is sent once, and its answer is not waited for", async () => {
    let late: (() => void) | undefined;
    const server = await startAnsweringServer((socket) => {
      late = () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`);
    }, GOOD);
    const { client, pastDeadline } = connectPatientClient(server);

    const call = moneyCalls[name](client, walletKey());
    await pastDeadline();
    const verdict = await call;
    late?.();
    await client.close();

    expect(verdict).toMatchObject({ state: "unknown", errorCode: "DEADLINE" });
    expect(server.received.length).toBe(1);
  });
});

test("a headers timeout of its own ends a withdrawal that gets no answer", async () => {
  const server = await startAnsweringServer(hang);
  const { client } = connectClient(server.baseUrl, { moneyHeadersTimeoutMs: 100 });

  expect(await moneyCalls.withdraw(client, walletKey())).toMatchObject({
    state: "unknown",
    errorCode: "UND_ERR_HEADERS_TIMEOUT",
  });
  expect(server.received.length).toBe(1);
});
