import { expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { DAY, HOUR } from "#src/shared/time.ts";
import { ANA, anaKey, savedAccount } from "../database/builders.ts";
import { NOW } from "../support/samples.ts";
import { CODE, sampleCharge } from "./charge-samples.ts";
import { hint, listed, malformed, missing, payment, setUp, unavailable } from "./charge-stage.ts";

const LOST = { state: "unknown", txid: undefined, code: undefined } as const;

type Service = Awaited<ReturnType<typeof setUp>>["service"];

const soldAt = (createdAt: Temporal.Instant) => ({
  ...listed("sold"),
  amount: cents(1),
  createdAt,
});

/** The list shows these rows, says that there is more, and not how to ask for it. */
const cutAfter = (rows: number) => (service: Service) => {
  service.isCut = true;
  service.list = () =>
    Array.from({ length: rows }, (_, hours) => ({
      ...soldAt(NOW.subtract({ hours })),
      txid: `sold-${hours}`,
    }));
};

/** The list has no end; each page is so many days newer than the one before it. */
const endless = (days: number) => (service: Service) => {
  service.next = "p";
  service.further = ({ length: page }) => [
    { ...soldAt(NOW.subtract({ hours: 24 * days * (30 - page) })), txid: `sold-${page}` },
  ];
};

test.each<readonly [string, (service: Service) => void]>([
  ["of which a page cannot be read", (service) => void (service.next = "page=2")],
  [
    "of which a detail cannot be read",
    (service) => Object.assign(service, { list: () => [listed("one")], detail: unavailable }),
  ],
  ["with a payment that has no txid", (service) => void (service.unnamed = 1)],
  ["that says there is more, without the way to it,", cutAfter(1)],
  ["that is too long to be read to the charge's time", endless(0)],
  ["that stands oldest first", endless(1)],
])("a list %s proves no absence", async (_, shows) => {
  const stage = await setUp(LOST);
  shows(stage.service);
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "unknown", checks: 0 });
});

test("a lost charge takes no payment of another one whose txid the list writes in another case", async () => {
  const stage = await setUp(LOST, { txid: "Own1" });
  stage.service.list = () => [listed("own1")];
  stage.service.detail = () => payment("pending", { txid: "own1" });
  await stage.look(3);
  stage.service.detail = () => payment("approved", { txid: "own1" });
  await stage.look(99);
  expect(await stage.charge(0)).toMatchObject({ state: "missing", txid: undefined });
  expect(await stage.charge(1)).toMatchObject({ state: "paid" });
});

test("a charge whose payment is read by its txid in another case alone is found in the list", async () => {
  const stage = await setUp({ txid: "Own1" });
  const { service } = stage;
  let status = "pending";
  service.status = missing;
  service.list = () => [listed("own1")];
  service.detail = (txid) => (txid === "own1" ? payment(status, { txid }) : missing());
  await stage.look(12);
  status = "approved";
  await stage.look(4);
  expect(await stage.charge()).toMatchObject({ state: "paid", txid: "own1" });
});

test("a list that cannot be read proves no absence", async () => {
  const stage = await setUp({ ...LOST, expiresAt: undefined });
  stage.service.list = unavailable;
  await stage.look(30);
  expect(await stage.charge()).toMatchObject({ state: "unknown", checks: 0 });
  stage.service.list = () => [listed("found")];
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", txid: "found" });
});

test.each([
  ["a lost charge", LOST],
  ["an open charge without a txid", { state: "open", txid: undefined }],
] as const)(
  "a cancelled sale of the same thing is not %s that is seconds old",
  async (_, given) => {
    const stage = await setUp(given);
    stage.service.detail = (txid) => payment("cancelled", { txid });
    stage.service.list = () => [listed("twin")];
    await stage.look();
    expect(await stage.charge()).toMatchObject({ state: given.state, txid: undefined });
    expect(await stage.told("end")).toBeUndefined();
  },
);

test("a list that is cut before the charge's time, newest first, leaves nothing out about it", async () => {
  const stage = await setUp(LOST);
  cutAfter(20)(stage.service);
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "missing" });
});

test.each([
  ["whose only payment has no detail yet", [listed("late")]],
  [
    "with more payments than are read in full",
    Array.from({ length: 6 }, (_, each) => ({
      ...listed(`other-${each}`),
      description: undefined,
    })),
  ],
] as const)("a list %s proves no absence, and its payment is found later", async (_, list) => {
  const stage = await setUp(LOST);
  stage.service.list = () => list;
  const own = list.at(-1)?.txid;
  stage.service.detail = (txid) =>
    txid === own ? missing() : payment("pending", { txid, description: "Outro" });
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "unknown", checks: 0 });
  stage.service.list = () => list.slice(-1);
  stage.service.detail = (txid) => payment("pending", { txid });
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", txid: own });
});

test.each([
  ["of another amount", { amount: cents(1) }],
  ["of a withdrawal", { type: "withdrawal" }],
  ["of last week", { createdAt: NOW.subtract({ hours: 7 * 24 }) }],
] as const)("a row without a txid %s hides no lost charge", async (_, given) => {
  const stage = await setUp(LOST);
  stage.service.unnamed = 1;
  stage.service.unnamedRows = [{ ...listed(""), ...given }];
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "missing", problem: undefined });
});

const UNPROVEN = [
  ["a row without a txid", []],
  ["a payment without a detail", [listed("late")]],
] as const;

test.each(UNPROVEN)(
  "a lost charge that may be %s is left to its seller once it is no longer new",
  async (_, list) => {
    const stage = await setUp(LOST);
    stage.service.list = () => list;
    stage.service.unnamed = list.length === 0 ? 1 : 0;
    stage.service.detail = missing;
    await stage.look(40);
    expect(await stage.charge()).toMatchObject({ state: "missing", problem: "unclear" });
    expect(await stage.told("found")).toBe("due");
    expect(stage.clock.now().since(NOW).total("hours")).toBeLessThan(2);
  },
);

const UNPAID = {
  list: [],
  unnamed: 0,
  state: "expired",
  problem: undefined,
};
const PAID = {
  list: [listed("own")],
  unnamed: 0,
  state: "missing",
  problem: "unclear",
};

test.each([
  ["expires once its time is over", UNPAID],
  ["is left to its seller beside a paid payment once its time is over", PAID],
  ["is left to its seller beside a payment without a txid", { ...PAID, list: [], unnamed: 1 }],
] as const)("a charge without a txid %s, and its card says so", async (_, given) => {
  const { list, unnamed, ...end } = given;
  const stage = await setUp({ txid: undefined, expiresAt: NOW.add({ minutes: 30 }) });
  await stage.charges.posted("charge0", "1", "card");
  stage.service.list = () => list;
  stage.service.unnamed = unnamed;
  stage.service.detail = (txid) => payment("approved", { txid });
  await stage.look(60);
  const { state, problem, nextCheckAt } = await stage.charge();
  expect({ state, problem }).toEqual(end);
  expect(await stage.told("end")).toBe("due");
  expect(nextCheckAt).toBeUndefined();
  expect(stage.edits).toEqual(["card"]);
});

test("a lost charge is found among more payments than are read in full, the nearest in time first", async () => {
  const stage = await setUp(LOST);
  const { service } = stage;
  service.list = () =>
    ["other-5", "other-4", "other-3", "other-2", "other-1", "own"].map((txid, place) => ({
      ...listed(txid),
      description: undefined,
      createdAt: NOW.add({ minutes: 5 - place }),
    }));
  service.detail = (txid) =>
    payment("pending", { txid, ...(txid !== "own" && { description: "Avulsa" }) });
  await stage.look(3);
  expect(await stage.charge()).toMatchObject({ state: "open", txid: "own" });
});

test("a sale of the same thing is not an open charge of half an hour that cannot be found by its txid", async () => {
  const createdAt = NOW.subtract({ minutes: 30 });
  const stage = await setUp({ txid: "own", createdAt, expiresAt: undefined });
  const { service } = stage;
  service.status = missing;
  service.list = () => [{ ...listed("twin"), createdAt }];
  service.detail = (txid) => (txid === "own" ? missing() : payment("pending", { txid, createdAt }));
  await stage.look(3);
  expect(await stage.charge()).toMatchObject({ state: "open", txid: "own" });
});

test("a found charge is told though Discord takes the answer that it was lost afterwards", async () => {
  const stage = await setUp({ state: "unknown", txid: undefined, code: undefined });
  const shown = await stage.charge();
  stage.service.list = () => [listed("found")];
  await stage.look();
  await stage.answered(shown);
  expect(await stage.told("found")).toBe("due");
});

test("a charge without a txid that ends while its reply lives is told by a message too", async () => {
  const stage = await setUp({ txid: undefined, expiresAt: NOW.add({ minutes: 10 }) });
  stage.stayLive();
  stage.service.list = () => [listed("own")];
  stage.service.detail = (txid) => payment("approved", { txid });
  await stage.look(60);
  expect(await stage.charge()).toMatchObject({ state: "missing", problem: "unclear" });
  expect(await stage.told("end")).toBe("due");
});

test("a found charge whose payment is no longer there is told by a message of its own", async () => {
  const stage = await setUp(LOST);
  stage.service.list = () => [listed("found")];
  await stage.look();
  expect(await stage.told("found")).toBe("due");
  stage.service.list = () => [listed("other")];
  stage.service.status = missing;
  stage.service.detail = (txid) => (txid === "found" ? missing() : payment("approved", { txid }));
  await stage.look(400);
  expect(await stage.charge()).toMatchObject({ state: "missing", problem: "unclear" });
  expect(await stage.told("end")).toBe("due");
});

test.each([
  ["its time is over", "pending", NOW.add({ minutes: 30 })],
  ["its detail says expired", "expired", undefined],
] as const)(
  "a lost charge that is found once %s is told as expired",
  async (_, status, expiresAt) => {
    const stage = await setUp(LOST);
    stage.service.status = () => hint(undefined, { code: CODE, expiresAt });
    stage.service.detail = (txid) => payment(status, { txid });
    stage.service.list = () => [listed("found")];
    stage.clock.moveBy(HOUR);
    await stage.look();
    expect(await stage.charge()).toMatchObject({
      state: "expired",
      txid: "found",
      endedAt: stage.clock.now(),
    });
    expect(await stage.told("found")).toBeUndefined();
    expect(await stage.told("end")).toBe("due");
    stage.service.detail = (txid) => payment("approved", { txid });
    await stage.look();
    expect(await stage.charge()).toMatchObject({ state: "paid" });
    expect(await stage.told("late")).toBe("due");
  },
);

test("a charge without a txid or an expiry is left after three days, and its seller is told", async () => {
  const stage = await setUp({ txid: undefined, expiresAt: undefined });
  stage.clock.moveBy(3 * DAY);
  await stage.look(2);
  expect(await stage.charge()).toMatchObject({ state: "unfollowed", nextCheckAt: undefined });
  expect(await stage.told("end")).toBe("due");
});

const WRONG_ID = "customer-77";

test.each([
  ["a lost charge", LOST],
  ["a charge whose id names no payment", { txid: WRONG_ID }],
] as const)(
  "the payment of %s is followed though it is found after three days",
  async (_, given) => {
    const stage = await setUp({ ...given, expiresAt: undefined });
    stage.service.status = missing;
    stage.service.detail = (txid) => (txid === WRONG_ID ? missing() : payment("pending", { txid }));
    stage.service.list = () => [listed("found")];
    stage.clock.moveBy(3 * DAY);
    await stage.look();
    expect(await stage.charge()).toMatchObject({ state: "open", txid: "found" });
    stage.service.detail = (txid) => payment("approved", { txid });
    await stage.look();
    expect(await stage.charge()).toMatchObject({ state: "paid" });
  },
);

test.each([
  ["a lost charge", LOST],
  ["a charge whose id names no payment", { txid: WRONG_ID }],
] as const)(
  "%s is not left after three days while the list, or a detail of it, cannot be read",
  async (_, given) => {
    const stage = await setUp({ ...given, expiresAt: undefined });
    stage.service.status = missing;
    stage.service.detail = missing;
    stage.service.list = unavailable;
    stage.clock.moveBy(3 * DAY);
    await stage.look(2);
    stage.service.list = () => [listed("found")];
    stage.service.detail = (txid) => (txid === WRONG_ID ? missing() : unavailable());
    await stage.look(2);
    expect(await stage.told("end")).toBeUndefined();
    stage.service.detail = (txid) => (txid === WRONG_ID ? missing() : payment("pending", { txid }));
    await stage.look();
    expect(await stage.charge()).toMatchObject({ state: "open", txid: "found" });
  },
);

test("a charge is left after three days though a payment like it is never readable", async () => {
  const stage = await setUp({ txid: WRONG_ID, expiresAt: undefined });
  stage.service.status = missing;
  stage.service.list = () => [listed("found")];
  stage.service.detail = (txid) => (txid === WRONG_ID ? missing() : malformed());
  stage.clock.moveBy(3 * DAY);
  await stage.look(2);
  expect(await stage.charge()).toMatchObject({ nextCheckAt: undefined });
});

/** Another charge, of the same amount and text, of the given connection of the wallet account. */
const besideIt = async (
  { accounts, account, charges }: Awaited<ReturnType<typeof setUp>>,
  connection: string,
  given: Parameters<typeof sampleCharge>[0],
): Promise<void> => {
  const other = savedAccount({ guildId: "900000000000000002" });
  const { id: accountId, ownerId } =
    connection === "the connection" ? account : await accounts.save(other, anaKey, ANA);
  await charges.begin(sampleCharge({ id: "charge1", accountId, ownerId, ...given }), "icharge1");
};

const CONNECTIONS = ["the connection", "another connection of the wallet account"];

test.each(CONNECTIONS)(
  "a lost charge is not taken for the payment of another charge of %s",
  async (connection) => {
    const stage = await setUp(LOST);
    await besideIt(stage, connection, { txid: "taken" });
    stage.service.list = () => [listed("taken")];
    await stage.look(9);
    stage.service.detail = (txid) => payment("approved", { txid });
    await stage.look(9);
    expect(await stage.charge(1)).toMatchObject({ state: "paid", txid: "taken" });
    expect(await stage.charge()).toMatchObject({
      state: "missing",
      problem: undefined,
      txid: undefined,
    });
    expect(await stage.told("end")).toBeUndefined();
  },
);

test.each(CONNECTIONS)(
  "a lost charge is found beside the payment of another charge of %s",
  async (connection) => {
    const stage = await setUp(LOST);
    await besideIt(stage, connection, { txid: "taken" });
    stage.service.list = () => [listed("own"), listed("taken")];
    await stage.look();
    expect(await stage.charge()).toMatchObject({ state: "open", txid: "own" });
  },
);

test.each(CONNECTIONS)(
  "an answer that names the payment of another charge of %s is kept without it, and followed",
  async (connection) => {
    const stage = await setUp();
    await besideIt(stage, connection, {});
    const { kept, shown } = await stage.ask(async () => {});
    expect(kept).toMatchObject({ state: "open", code: CODE, txid: undefined });
    expect(kept?.nextCheckAt).toBeDefined();
    expect(shown).toEqual(kept);
  },
);

test.each(CONNECTIONS)(
  "a lost charge does not take the payment that another charge of %s takes at the same time",
  async (connection) => {
    const stage = await setUp(LOST);
    await besideIt(stage, connection, LOST);
    stage.service.list = () => [listed("one")];
    await stage.follow();
    stage.service.detail = (txid) => payment("approved", { txid });
    await stage.look(20);
    const both = [await stage.charge(0), await stage.charge(1)];
    expect(both.map(({ state }) => state).toSorted()).toEqual(["missing", "paid"]);
    const told = [await stage.told("end", 0), await stage.told("end", 1)];
    expect(told.filter((state) => state === "due")).toHaveLength(1);
  },
);
