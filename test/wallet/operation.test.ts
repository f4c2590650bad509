import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { WalletError } from "#src/shared/errors.ts";
import { resourceRead } from "#src/wallet/operation.ts";
import { connectTo, walletErrorOf, walletKey } from "./wallet-setup.ts";

const ROUTE = "/v1/meds/{infractionId}";

const codeUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

const plainId = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).filter((id) => !/^summary$/i.test(id));

describe("a path", () => {
  test("ends in the identifier that was asked for, and in nothing else", () => {
    fc.assert(
      fc.property(plainId, (id) => {
        const url = new URL(resourceRead(ROUTE, id).path, "http://wallet.invalid");
        expect(url.pathname).toBe(`/v1/meds/${id}`);
        expect(url.search + url.hash).toBe("");
      }),
    );
  });

  test("rule 25: of anything at all is one segment that says it, or is refused", () => {
    const anything = fc.oneof(
      fc.string({ unit: codeUnit }),
      fc.string({ unit: fc.constantFrom("a", "9", "/", ".", "%", "2", "e", "?", "#", "\\", "|") }),
    );

    fc.assert(
      fc.property(anything, (id) => {
        let path = "";
        try {
          ({ path } = resourceRead(ROUTE, id));
        } catch (error) {
          expect(error).toBeInstanceOf(WalletError);
          return;
        }
        const url = new URL(path, "http://wallet.invalid");
        expect(url.search + url.hash).toBe("");
        const [, , , segment = "", ...more] = url.pathname.split("/");
        expect({ id: decodeURIComponent(segment), more }).toEqual({ id, more: [] });
        // The path also stays in place when encoded slashes are decoded, once or twice.
        let decoded = url.pathname;
        for (let times = 0; times < 2; times++) {
          decoded = decoded.replace(/%(?:2e|2f|5c|25)/gi, (each) => decodeURIComponent(each));
          const there = new URL(
            decoded.replaceAll("?", "%3F").replaceAll("#", "%23"),
            "http://wallet.invalid",
          );
          expect(there.pathname.startsWith("/v1/meds/")).toBe(true);
          expect(there.pathname).not.toMatch(/^\/v1\/meds\/(?:summary)?$/i);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["MED:123", "MED%3A123"],
    ["a.b", "a.b"],
    ["12", "12"],
    ["x", "x"],
    ["a/b", "a%2Fb"],
    ["a?b=1", "a%3Fb%3D1"],
    ["ação", "a%C3%A7%C3%A3o"],
    ["a|b", "a%7Cb"],
  ])("rule 25: of %j is asked for as %s", async (id, segment) => {
    const { server, client } = await connectTo({
      status: 404,
      body: '{"success":false,"message":"Não."}',
    });

    const error = await walletErrorOf(client.dispute(walletKey(), id, "interactive"));

    expect(error).toMatchObject({ kind: "not_found", status: 404 });
    expect(server.received).toMatchObject([{ path: `/v1/meds/${segment}` }]);
  });

  const never = ["", ".", "..", "../meds", "a/..", "a//b", "a%2Fb", "%2e%2e", "a b", " ", "\u202e"];

  test.each([...never, "summary", "SUMMARY", "summary/a", "a".repeat(65)])(
    "of %j is refused without a call",
    async (id) => {
      const { server, client } = await connectTo();

      const error = await walletErrorOf(client.dispute(walletKey(), id, "interactive"));

      expect(error).toMatchObject({ kind: "invalid_request", status: undefined, route: ROUTE });
      expect(server.received).toEqual([]);
    },
  );
});
