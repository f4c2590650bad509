import { describe, expect, test } from "vitest";

import { startAnsweringServer } from "./answering-server.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { getWithdrawals } from "#src/wallet/withdrawals.ts";
import { testListPlaces, testListTurns } from "./undocumented-lists.ts";
import {
  connectTo,
  connectClient,
  plain,
  steadyClock,
  walletErrorOf,
  walletKey,
} from "./wallet-setup.ts";

const page = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const { client } = await connectTo({ body: JSON.stringify(body), headers });
  return client.withdrawals(walletKey(), "interactive");
};

const ROWS = [{ txid: "w7e20b8d5f31" }, { id: "SW1741957522418K7QX2M" }] as const;

describe("the list of withdrawals", () => {
  testListPlaces({ list: "withdrawals", other: "items", foreign: "saques" }, ROWS, async (body) =>
    (await page(body)).items.map(({ txid }) => txid),
  );
  testListTurns({ list: "withdrawals", id: "txid" }, getWithdrawals);

  test.each([
    ["two arrays, of which either may be the list", { data: [], items: ROWS }],
    ["two arrays, one below the other's holder", { withdrawals: [], data: { items: ROWS } }],
    ["an item without an id", [...ROWS, { amount: 10 }]],
    ["an item whose id is a number", [...ROWS, { id: 7 }]],
    ["an item whose txid could lead elsewhere", [...ROWS, { txid: "../meds", id: "w7e20b8d5f31" }]],
    ["an item whose txid is a step of a path", [{ txid: ".." }]],
    ["an item that is none", [...ROWS, null]],
    ["ids alone", ["w7e20b8d5f31", "SW1741957522418K7QX2M"]],
    ["a list in a list", [ROWS]],
  ])("with %s is unreadable, never short", async (_fault, body) => {
    expect((await walletErrorOf(page(body))).kind).toBe("malformed");
  });

  test("says of an item what can be read of it, and nothing of the rest", async () => {
    const items = [
      { txid: "w01", requestedAt: "2025-03-14T13:05:22.418Z", createdAt: 1, amount: 250 },
      { txid: "w02", createdAt: 1_741_957_522_418, amount: "38.45", status: "completed" },
      { txid: "w03", requestedAt: "ontem", createdAt: "2025-03-14T10:05:22-03:00", amount: {} },
      { txid: "w04", requestedAt: null, amount: 1e13, status: 3 },
      { tx_id: "no", id: "w05", created_at: "2025-03-14T13:05:22Z" },
      { txid: "w06", amount: -250 },
      { txid: "w07", amount: "-38.45" },
      { txid: "w08", createdAt: "2025-03-13T00:00:00Z", requestedAt: "2025-03-14T13:05:22Z" },
    ];

    expect(plain((await page(items)).items)).toEqual([
      { txid: "w01", requestedAt: "2025-03-14T13:05:22.418Z", amount: 25_000 },
      {
        txid: "w02",
        requestedAt: "2025-03-14T13:05:22.418Z",
        amount: 3_845,
        status: "completed",
      },
      { txid: "w03", requestedAt: "2025-03-14T13:05:22Z" },
      { txid: "w04" },
      { txid: "w05", requestedAt: "2025-03-14T13:05:22Z" },
      { txid: "w06", amount: 25_000 },
      { txid: "w07", amount: 3_845 },
      { txid: "w08", requestedAt: "2025-03-14T13:05:22Z" },
    ]);
  });

  test("has a withdrawal that is listed twice once, in the state that it came to", async () => {
    const rows = [
      { txid: "w02", amount: 40, status: "completed" },
      { txid: "w01", amount: 250, status: "processing" },
      { txid: "w02", amount: 40, status: "completed" },
      { txid: "w01", amount: 250, status: "completed" },
      { txid: "w02", amount: 40, status: "processing" },
    ];
    expect(plain((await page(rows)).items)).toEqual([
      { txid: "w02", amount: 4_000, status: "completed" },
      { txid: "w01", amount: 25_000, status: "completed" },
    ]);
  });

  test("says a known status in capitals as the document writes it, and another as it came", async () => {
    const said = ["COMPLETED", " Scheduled ", "Cancelled", "EM_ANALISE"];
    const { items } = await page(said.map((status, index) => ({ txid: `w0${index}`, status })));
    expect(items.map(({ status }) => status)).toEqual([
      "completed",
      "scheduled",
      "cancelled",
      "EM_ANALISE",
    ]);
  });

  test.each([
    ["seconds instead of milliseconds", 1_741_957_522],
    ["a zero", 0],
    ["the first of January of the year 1", "0001-01-01T00:00:00Z"],
    ["the epoch", "1970-01-01T00:00:00.000Z"],
    ["a time before the network", "2020-10-31T23:59:59Z"],
    ["no zone", "2025-03-14T13:05:22"],
  ])("never takes %s for a time, which would prove the page older than it is", async (_n, time) => {
    const [item] = (await page([{ txid: "w01", requestedAt: time }])).items;

    expect(item?.requestedAt).toBeUndefined();
  });

  test("says how far the service's clock is ahead of ours", async () => {
    const date = "Fri, 14 Mar 2025 13:05:08 GMT";

    expect((await page(ROWS, { date })).skewMs).toBe(-1_500);
    expect((await page(ROWS, { date: "hoje" })).skewMs).toBeUndefined();
  });

  test("takes no leap of our clock during the call for a clock of the service that is ahead", async () => {
    const server = await startAnsweringServer({
      body: JSON.stringify(ROWS),
      headers: { date: "Fri, 14 Mar 2025 13:05:08 GMT" },
    });
    const before = steadyClock.now();
    const instants = [before].values();
    const clock = { now: () => instants.next().value ?? before.add({ minutes: 7 }) };
    const { client } = connectClient(server.baseUrl, {}, noMetrics, undefined, clock);
    const { skewMs } = await client.withdrawals(walletKey(), "interactive");
    expect(skewMs).toBeUndefined();
  });
});
