import { scrypt } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import { createNameLookup } from "#src/wallet/http.ts";
import { startAnsweringServer } from "./answering-server.ts";
import { calls } from "./calls.ts";
import { connectClient, fixture, walletKey } from "./wallet-setup.ts";

const HOST = "wallet.example";
const FIRST: LookupAddress = { address: "192.0.2.1", family: 4 };
const SECOND: LookupAddress = { address: "2001:db8::2", family: 6 };

/** A resolver whose answers the test controls. */
const machine = () => {
  const asked: PromiseWithResolvers<readonly LookupAddress[]>[] = [];
  const clock = { now: 0 };
  const lookup = createNameLookup({
    nowMs: () => clock.now,
    resolve: () => {
      const answer = Promise.withResolvers<readonly LookupAddress[]>();
      asked.push(answer);
      return answer.promise;
    },
  });
  const find = (family = 0) =>
    new Promise<unknown>((resolve) => {
      lookup(HOST, { all: true, family }, (error, addresses) => resolve(error?.code ?? addresses));
    });
  const known = async (): Promise<void> => {
    const found = find();
    asked[0]?.resolve([FIRST, SECOND]);
    await found;
  };
  return { asked, clock, lookup, find, known };
};

describe("S9: the address of the service", () => {
  it("is asked for once by all who want it at the same time", async () => {
    const { asked, find } = machine();
    const both = Promise.all([find(), find()]);
    expect(asked).toHaveLength(1);
    asked[0]?.resolve([FIRST]);
    expect(await both).toEqual([[FIRST], [FIRST]]);
  });

  it("that is known is given at once, and asked for anew after half a minute", async () => {
    const { asked, clock, find, known } = machine();
    await known();
    clock.now = 30_000;
    expect(await find()).toEqual([FIRST, SECOND]);
    expect(asked).toHaveLength(1);

    clock.now = 30_001;
    expect(await find()).toEqual([FIRST, SECOND]);
    expect(asked).toHaveLength(2);
    asked[1]?.resolve([SECOND]);
    await asked[1]?.promise;
    expect(await find()).toEqual([SECOND]);
  });

  it("stands while the machine cannot say, for ten minutes", async () => {
    const { asked, clock, find, known } = machine();
    await known();
    clock.now = 600_000;
    const found = find();
    asked[1]?.reject(Object.assign(new Error("busy"), { code: "EAI_AGAIN" }));
    expect(await found).toEqual([FIRST, SECOND]);

    clock.now = 600_001;
    const late = find();
    asked[2]?.reject(Object.assign(new Error("busy"), { code: "EAI_AGAIN" }));
    expect(await late).toBe("EAI_AGAIN");
  });

  it("is given in the family that was asked for, one or all", async () => {
    const { find, known, lookup } = machine();
    await known();
    expect(await find(6)).toEqual([SECOND]);
    const one = await new Promise((resolve) => {
      lookup(HOST, { family: 6 }, (_, address, family) => resolve([address, family]));
    });
    expect(one).toEqual([SECOND.address, 6]);
  });

  it("keeps no withdrawal waiting behind hashes that fill every thread", async () => {
    const server = await startAnsweringServer(
      { body: fixture("sales-report") },
      { body: fixture("split-withdraw.normal") },
    );
    const { client } = connectClient(server.baseUrl.replace("127.0.0.1", "localhost"));
    await calls.salesReport(client, walletKey());
    let hashed = 0;
    const hashes = Array.from(
      { length: 8 },
      () =>
        new Promise<void>((resolve) => {
          scrypt("2580", "salt", 32, { N: 2 ** 14, r: 8, p: 2 }, () => {
            hashed += 1;
            resolve();
          });
        }),
    );

    const answer = await calls.splitWithdraw(client, walletKey());

    // In the thread pool's queue it would come after the four running hashes and at least one waiting hash.
    expect(hashed).toBeLessThan(5);
    expect(answer).toHaveProperty("state", "accepted");
    await Promise.all(hashes);
  });
});
