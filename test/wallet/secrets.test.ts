import { inspect } from "node:util";

import { describe, expect, test } from "vitest";

import { cents } from "#src/shared/money.ts";
import { bytes, type Answer } from "./answering-server.ts";
import { calls, moneyCalls, moneyNames } from "./calls.ts";
import { connectTo, API_KEY, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

const encodings = {
  raw: API_KEY,
  base64: Buffer.from(API_KEY).toString("base64"),
  hex: Buffer.from(API_KEY).toString("hex"),
};

const echoing = (echo: string): Readonly<Record<string, Answer>> => ({
  "its request id": { status: 500, headers: { "x-request-id": echo } },
  "its message": { status: 400, body: JSON.stringify({ success: false, message: echo }) },
  "a field name": { body: JSON.stringify({ success: true, [echo]: echo }) },
  "a page": { status: 401, body: `<p>Bearer ${echo}</p>` },
  "something that is no JSON": { body: `${echo} is not valid` },
  "something that is no HTTP": bytes(`${echo}\r\n\r\n`),
  "its reason phrase": bytes(`HTTP/1.1 502 ${echo}\r\ncontent-length: 0\r\n\r\n`),
  "a user id": { body: fixture("sales-report").replace("1092746381520374835", echo) },
});

describe("a service that gives the API key back", () => {
  const cases = Object.entries(encodings).flatMap(([encoding, echo]) =>
    Object.entries(echoing(echo)).map(([where, answer]) => ({ where, encoding, echo, answer })),
  );

  test.each(cases)("in $where, $encoding, gets it into no error and no log line", async (given) => {
    const { client, logged } = await connectTo(given.answer);

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));
    const shown = [String(error), error.stack, JSON.stringify(error), inspect(error, true, 10)];

    expect(logged()).not.toBe("");
    for (const text of [...shown, logged()]) {
      for (const form of Object.values(encodings)) expect(text).not.toContain(form);
    }
  });
});

describe("a service that gives the API key back to a call that moves money", () => {
  const accepted = fixture("split-withdraw.turbo").replace("Marina Teixeira Alencar", API_KEY);
  const answers = { ...echoing(API_KEY), "the holder's name": { body: accepted } };
  const cases = Object.entries(answers).flatMap(([where, answer]) =>
    moneyNames.map((name) => ({ name, where, answer })),
  );

  test.each(cases)("in $where, gets it into nothing of $name", async (given) => {
    const { client, logged } = await connectTo(given.answer);

    const answer = await moneyCalls[given.name](client, walletKey());

    expect(logged()).not.toBe("");
    for (const text of [JSON.stringify(answer), inspect(answer, true, 10), logged()]) {
      for (const form of Object.values(encodings)) expect(text).not.toContain(form);
    }
  });
});

test("what the service says to a person is not logged, nor keys and amounts", async () => {
  const { client, logged } = await connectTo({
    status: 400,
    body: '{"success":false,"message":"palavras do provedor"}',
  });
  const request = { amount: cents(123_456), pixKey: "ana@loja.example", turbo: true };

  expect(await client.withdraw(walletKey(), request)).toHaveProperty(
    "message",
    "palavras do provedor",
  );
  expect(logged()).toContain("req_example");
  for (const text of ["palavras", "ana@loja", "1234.56", "123456"]) {
    expect(logged()).not.toContain(text);
  }
});
