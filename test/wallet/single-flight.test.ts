import { expect, test } from "vitest";

import { createSingleFlight } from "#src/wallet/single-flight.ts";
import { createVirtualTimers } from "./virtual-timers.ts";

const WINDOW = 2_000;

const setUp = () => {
  const timers = createVirtualTimers();
  const flights = createSingleFlight(WINDOW, timers);
  let runs = 0;
  const work = () => Promise.resolve((runs += 1));
  return { timers, flights, work };
};

test("identical work that begins within two seconds is done once", async () => {
  const { timers, flights, work } = setUp();
  const first = flights.share("a", work);
  timers.advance(WINDOW - 1);

  expect(await Promise.all([first, flights.share("a", work)])).toEqual([1, 1]);
});

test("after two seconds it is done anew", async () => {
  const { timers, flights, work } = setUp();
  await flights.share("a", work);
  timers.advance(WINDOW);

  expect(await flights.share("a", work)).toBe(2);
});

test("work under another name is not shared", async () => {
  const { flights, work } = setUp();
  await flights.share("a", work);

  expect(await flights.share("b", work)).toBe(2);
});

test("a failure is shared by those who wait for it, and by nobody after", async () => {
  const { flights, work } = setUp();
  const fail = () => Promise.reject(new Error("once"));
  const both = [flights.share("a", fail), flights.share("a", work)];

  await expect(Promise.allSettled(both)).resolves.toMatchObject([
    { status: "rejected" },
    { status: "rejected" },
  ]);
  expect(await flights.share("a", work)).toBe(1);
});

test("a failure that ends late does not end what began after it", async () => {
  const { timers, flights, work } = setUp();
  const { promise, reject } = Promise.withResolvers<never>();
  const late = flights.share("a", () => promise);
  timers.advance(WINDOW);
  await flights.share("a", work);
  reject(new Error("late"));
  await expect(late).rejects.toThrow("late");

  expect(await flights.share("a", work)).toBe(1);
});

test("60,000 different reads leave nothing behind, and never more than a thousand at a time", async () => {
  const { timers, flights, work } = setUp();
  let most = 0;
  for (let name = 0; name < 60_000; name += 1) {
    await flights.share(String(name), work);
    most = Math.max(most, flights.size());
  }
  expect(most).toBeLessThanOrEqual(1_000);
  timers.advance(2 * WINDOW);

  expect(flights.size()).toBe(0);
  expect(timers.pending()).toBe(0);
});

test("forgotten work is done anew, under its names alone, also while it runs", async () => {
  const { flights, work } = setUp();
  const running = flights.share("a 1", work);
  await flights.share("ab 1", work);
  flights.forget("a ");

  expect(
    await Promise.all([running, flights.share("a 1", work), flights.share("ab 1", work)]),
  ).toEqual([1, 3, 2]);
});
