import { afterAll, beforeAll, beforeEach } from "vitest";
import type { DestinationChoice, PresenceAnswer } from "#src/accounts/account.ts";
import type { WatchedDispute, ChosenAlertRoute } from "#src/disputes/dispute-alert.ts";
import { lostRoutes, settlementHooks } from "#src/bot-jobs.ts";
import { chosenChannels } from "#src/bot-services.ts";
import type { PostOutcome } from "#src/delivery/delivery.ts";
import { createSignal } from "#src/delivery/deliver.job.ts";
import { withLostChannel } from "#src/delivery/lost-channel.job.ts";
import { createRevalidateAlert } from "#src/disputes/revalidate-alert.job.ts";
import { createDisputeWatch } from "#src/disputes/dispute-watch.job.ts";
import { createDisputeReminders } from "#src/disputes/dispute-reminders.service.ts";
import { Secret } from "#src/shared/secret.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import { presenceParts } from "../accounts/presence-parts.ts";
import { ANA, GUILD, savedAccount, TABLES } from "../database/builders.ts";
import { openTestStores } from "../database/use-store.ts";
import {
  type DatabaseKind,
  openTestDatabase,
  quietLog,
  type TestDatabase,
} from "../support/databases.ts";
import { stepTitle } from "../support/alert-title.ts";
import { createFakeChannels, directChannel, testDeliver } from "../support/fake-channels.ts";
import { chosenAlertRoute } from "./dispute-builders.ts";
import { createModelDisputes } from "./model-disputes.ts";
import { asRoute } from "../support/samples.ts";

export const OWNER = { guildId: GUILD, userId: ANA, locale: "pt-BR" } as const;

const START = "2026-11-19T15:00Z";
const THROTTLED = { kind: "throttled", retryAfterMs: 60_000 } as const;

/** One process of the bot with memory of its own. */
interface Process {
  readonly poll: () => Promise<void>;
  readonly remind: () => Promise<void>;
  readonly deliver: () => Promise<void>;
}

export type DisputeStage = Awaited<ReturnType<typeof openStage>>;

const titleOf = (text: string): string => {
  const [embed] = JSON.parse(text) as readonly { title?: string; description?: string }[];
  const isRepeat = embed?.description?.startsWith("(reenvio") === true;
  return `${stepTitle(embed?.title ?? "")}${isRepeat ? " (reenvio)" : ""}`;
};

const quietWork = { log: quietLog, onOwed: () => {} };

/** The watch of disputes on a real database, between a scripted service and recording channels. */
const openStage = async (open: OpenDatabase, time: { now: Temporal.Instant }) => {
  const clock = { now: () => time.now };
  const stores = await openTestStores(open);
  const { accounts, alertRoutes, disputeWatch, outbox } = stores;
  const ana = savedAccount({ connectedAt: time.now });
  const { id: accountId } = await accounts.save(ana, new Secret("sk_sandbox_ana_0123"), ANA);
  const channels = createFakeChannels(clock);
  const service = createModelDisputes(clock.now);
  const { wallet } = service;
  let owners = 0;
  const guildName = async () => "Loja";
  const chosen = chosenChannels({ ...stores, clock, guildName, wake: () => {} });
  const withMembers = { clock, stores: { ...stores, presences: chosen.presences } };
  const members = {
    /** Discord's answer to whether somebody is in a server; by default there is none. */
    ask: (_guildId: string, _userId: string): PresenceAnswer => ({ kind: "unknown" }),
  };
  const process = (): Process => {
    const needs = { ...quietWork, clock, accounts, wallet };
    const watching = { watch: disputeWatch, routes: alertRoutes };
    const { poll, remind } = createDisputeWatch({ ...needs, ...watching });
    const judge = withLostChannel(
      { log: quietLog, routes: lostRoutes(stores) },
      createRevalidateAlert({ ...needs, ...watching }),
    );
    const asking = async (guildId: string, userId: string) => members.ask(guildId, userId);
    const { signal } = new AbortController();
    const deliver = testDeliver({
      clock,
      owner: `p${++owners}`,
      outbox,
      posting: channels,
      hooks: settlementHooks({ ...stores, clock }),
      revalidate: presenceParts(withMembers, asking, judge).judge,
    });
    return {
      poll: () => poll(signal),
      remind,
      deliver: () => deliver({ stopping: signal, news: createSignal(), retryAt: () => {} }),
    };
  };
  const reminders = createDisputeReminders({
    ...accounts,
    clock,
    watched: disputeWatch,
    open: () => Promise.reject(new Error("The dispute is not watched")),
  });
  const first = process();
  const alerts = async (choice: DestinationChoice): Promise<void> => {
    await accounts.setAlerts(GUILD, ANA, choice, time.now, undefined);
  };
  const route = async (given: Partial<ChosenAlertRoute> = {}): Promise<void> => {
    const plain = { roleId: undefined, pingSteps: [], quiet: undefined, slowNights: false };
    await alertRoutes.save(...asRoute(chosenAlertRoute({ ...plain, ...given })), time.now);
  };
  return {
    ...first,
    alerts,
    route,
    /** The admin's route, and Ana's choice of its channel. */
    routeToChannel: async (given?: Partial<ChosenAlertRoute>): Promise<void> => {
      await route(given);
      await alerts("channel");
    },
    clock,
    stores,
    db: open.db,
    channels,
    service,
    members,
    chosen,
    accountId,
    process,
    reminders,
    /** A request of Ana's about the reminders of `i1`. */
    wish: (what: keyof typeof reminders) =>
      reminders[what](OWNER, { watchId: accountId, infractionId: "i1" }),
    /** Has Discord reject all posts, or those in one channel, until `channels.mishap` is another. */
    hold: (channelId?: string, outcome: PostOutcome = THROTTLED): void => {
      channels.mishap = (id) =>
        channelId === undefined || id === channelId ? { outcome, made: false } : undefined;
    },
    skip: (duration: Temporal.DurationLike): void => {
      time.now = time.now.add(duration);
    },
    /** Advances the clock in steps and runs the work due at each. */
    pass: async (duration: Temporal.DurationLike, each: Temporal.DurationLike = { minutes: 1 }) => {
      const end = time.now.add(duration);
      while (Temporal.Instant.compare(time.now, end) < 0) {
        time.now = time.now.add(each);
        await Promise.all([first.poll(), first.remind()]);
        await first.deliver();
      }
    },
    watched: async (infractionId: string): Promise<WatchedDispute> => {
      const watched = await disputeWatch.find(accountId, infractionId);
      if (watched === undefined) throw new Error("It is not watched");
      return watched;
    },
    /** Titles of the posts in order: to Ana, or in the given channel. */
    told: (channelId = directChannel(ANA)): readonly string[] =>
      channels.inChannel(channelId).map(({ text }) => titleOf(text)),
  };
};

/** One database for the tests of a `describe`; each test opens its stage at `start`. */
export const useDisputeStage = (
  kind: DatabaseKind,
): ((start?: string) => Promise<DisputeStage>) => {
  const time = { now: Temporal.Instant.from(START) };
  let test: TestDatabase;
  let open: OpenDatabase;
  beforeAll(async () => {
    test = await kind.create();
    open = await openTestDatabase(test.url, { now: () => time.now });
  });
  beforeEach(async () => {
    for (const table of TABLES) await open.db.deleteFrom(table).execute();
  });
  afterAll(async () => {
    await open.close();
    await test.drop();
  });
  return async (start = START) => {
    time.now = Temporal.Instant.from(start);
    return await openStage(open, time);
  };
};

export const NIGHT = {
  from: Temporal.PlainTime.from("22:00"),
  to: Temporal.PlainTime.from("07:00"),
};
/** Title of the alert for each step. */
export const TITLE = {
  new: "Novo MED",
  "72h": "MED: menos de 3 dias para responder",
  "48h": "MED: menos de 2 dias para responder",
  "24h": "MED: menos de 24 horas para responder",
  "6h": "MED: menos de 6 horas para responder",
  "1h": "MED: menos de 1 hora para responder",
  overdue: "MED: o prazo passou sem resposta",
  answered: "MED respondido",
  conceded: "MED: você concordou",
  won: "MED ganho: valor liberado",
  lost: "MED perdido: devolvido ao pagador",
  cancelled: "MED cancelado",
} as const;
