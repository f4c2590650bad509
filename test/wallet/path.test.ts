import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { WalletError } from "#src/shared/errors.ts";
import { resourcePath } from "#src/wallet/path.ts";
import { startAnsweringServer } from "./answering-server.ts";
import { connectClient, walletErrorOf, walletKey } from "./wallet-setup.ts";

const ROUTE = "/v1/meds/{infractionId}";

const codeUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

const plainId = fc.stringMatching(/^[A-Za-z0-9_-]{3,64}$/).filter((id) => !/^summary$/i.test(id));

describe("a path", () => {
  test("ends in the identifier that was asked for, and in nothing else", () => {
    fc.assert(
      fc.property(plainId, (id) => {
        const url = new URL(resourcePath(ROUTE, id), "http://wallet.invalid");
        expect(url.pathname).toBe(`/v1/meds/${id}`);
        expect(url.search + url.hash).toBe("");
      }),
    );
  });

  test("is refused for anything but a plain identifier", () => {
    const anything = fc.oneof(
      fc.string({ unit: codeUnit }),
      fc.string({ unit: fc.constantFrom("a", "9", "/", ".", "%", "2", "?", "#", "\\") }),
    );

    fc.assert(
      fc.property(
        anything.filter((id) => !/^[A-Za-z0-9_-]{3,64}$/.test(id)),
        (id) => {
          expect(() => resourcePath(ROUTE, id)).toThrow(WalletError);
        },
      ),
    );
  });

  test.each(["", "ab", "..", "../meds", "a/b", "a%2Fb", "a?b=1", "ação", "summary", "SUMMARY"])(
    "of %j is refused without a call",
    async (id) => {
      const server = await startAnsweringServer();
      const { client } = connectClient(server.baseUrl);

      const error = await walletErrorOf(client.dispute(walletKey(), id, "interactive"));

      expect(error).toMatchObject({ kind: "invalid_request", status: undefined, route: ROUTE });
      expect(server.received).toEqual([]);
    },
  );
});
