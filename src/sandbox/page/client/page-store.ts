import type { ActOutcome, PageChannel, PageLocale, PageView } from "../page-view.ts";

/** An action that waits for its answer, or that failed. */
export interface Attempt {
  readonly key: string;
  readonly personId: string;
  readonly channelId: string;
  /** The command as typed, the custom id of the used component, or the name of the menu command. */
  readonly label: string;
  readonly messageId: string | null;
  readonly state: "waiting" | "failed";
  /** Failure reason from the server; empty while waiting. */
  readonly reason: string;
  /** Newest message of the channel when the action was sent; a newer message may be the answer. */
  readonly after: string;
  /** When it was sent, in virtual milliseconds since 1970. */
  readonly at: number;
}

export type PageStore = ReturnType<typeof createPageStore>;

const PERSON_KEY = "balcao.person";
const RUN_KEY = "balcao.run";
/** Of the channel that this person has open. */
const channelKey = (personId: string): string => `balcao.channel.${personId}`;

/** Forgets what the page kept of another run of the demo, and loads the page anew; false when there is none. */
const leftOtherRun = (runId: string): boolean => {
  const kept = sessionStorage.getItem(RUN_KEY);
  if (kept === runId) return false;
  sessionStorage.clear();
  sessionStorage.setItem(RUN_KEY, runId);
  if (kept === null) return false;
  location.reload();
  return true;
};

/** The page's state; the parts of the screen read it after each change. */
export const createPageStore = () => {
  const listeners: (() => void)[] = [];
  const read = new Map<string, string>();
  /** Empty until the server has chosen the first person. */
  let personId = sessionStorage.getItem(PERSON_KEY) ?? "";
  let view: PageView | undefined;
  let attempts: readonly Attempt[] = [];
  let connected = true;
  let clock = { virtual: 0, real: 0 };
  let serial = 0;
  let stopWatching = () => {};

  const changed = (): void => {
    for (const listener of listeners) listener();
  };

  const readKey = (person: string, channel: string): string => `${person} ${channel}`;
  const newest = (channel: PageChannel): string => channel.messages.at(-1)?.id ?? "";

  const channel = (): PageChannel | undefined =>
    view?.channels.find(({ id }) => id === sessionStorage.getItem(channelKey(personId))) ??
    view?.channels[0];

  const shownView = (): PageView | undefined => (view?.me.id === personId ? view : undefined);

  /** Marks channels as read when they first appear and while they are open. */
  const markRead = (): void => {
    if (view?.me.id !== personId) return;
    const open = channel();
    for (const seen of view.channels) {
      const key = readKey(personId, seen.id);
      if (seen === open || !read.has(key)) read.set(key, newest(seen));
    }
    for (const person of view.people) {
      const key = readKey(person.id, "direct");
      if (!read.has(key)) read.set(key, person.lastDirectMessageId ?? "");
    }
  };

  const start = (): void => {
    stopWatching();
    stopWatching = watch(
      personId,
      (next) => {
        // A later view would be drawn with what is kept of the other run.
        if (leftOtherRun(next.runId)) return stopWatching();
        view = next;
        personId = next.me.id;
        clock = { virtual: Date.parse(next.now), real: performance.now() };
        markRead();
        changed();
      },
      (now) => {
        connected = now;
        changed();
      },
    );
  };
  start();

  const now = (): number => clock.virtual + performance.now() - clock.real;

  const perform = async (
    body: ActBody,
    about: Pick<Attempt, "label" | "messageId">,
  ): Promise<ActOutcome> => {
    const here = channel();
    const attempt: Attempt = {
      ...about,
      key: `attempt-${++serial}`,
      personId,
      channelId: here?.id ?? "",
      state: "waiting",
      reason: "",
      after: here === undefined ? "" : newest(here),
      at: now(),
    };
    attempts = [
      ...attempts.filter(
        (other) => other.messageId === null || other.messageId !== about.messageId,
      ),
      attempt,
    ];
    changed();
    const outcome = await act(attempt.personId, body);
    attempts = attempts.filter(({ key }) => key !== attempt.key);
    if (outcome.kind === "failed") {
      attempts = [...attempts, { ...attempt, state: "failed", reason: outcome.reason }];
    }
    changed();
    return outcome;
  };

  return {
    /** Undefined until the first push. */
    view: shownView,
    /** Portuguese until the first push. */
    locale: (): PageLocale => shownView()?.me.locale ?? "pt-BR",
    channel,
    attempts: () => attempts.filter((attempt) => attempt.personId === personId),
    connected: () => connected,
    /** Virtual time, in milliseconds since 1970. */
    now,
    unread: (seen: PageChannel): boolean =>
      (read.get(readKey(personId, seen.id)) ?? newest(seen)) !== newest(seen),
    personHasNews: (id: string): boolean => {
      const last = view?.people.find((person) => person.id === id)?.lastDirectMessageId ?? "";
      return (read.get(readKey(id, "direct")) ?? last) !== last;
    },
    choosePerson: (id: string): void => {
      if (id === personId) return;
      const kept = sessionStorage.getItem(channelKey(personId));
      if (kept !== null && sessionStorage.getItem(channelKey(id)) === null) {
        sessionStorage.setItem(channelKey(id), kept);
      }
      personId = id;
      sessionStorage.setItem(PERSON_KEY, id);
      start();
      changed();
    },
    chooseChannel: (id: string): void => {
      sessionStorage.setItem(channelKey(personId), id);
      markRead();
      changed();
    },
    perform,
    ask: (body: ActBody) => act(personId, body),
    forget: (key: string): void => {
      attempts = attempts.filter((attempt) => attempt.key !== key);
      changed();
    },
    onChange: (listener: () => void): void => {
      listeners.push(listener);
    },
  };
};

/** The body of `/act`, without the person. */
type ActBody = Readonly<Record<string, unknown>> & { readonly kind: string };

/** @throws Error if the server does not answer or refuses the request. */
export const post = async <Answer>(path: string, body: unknown): Promise<Answer> => {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}`);
  return (await response.json()) as Answer;
};

/** Performs an action; never rejects. */
const act = async (person: string, body: ActBody): Promise<ActOutcome> => {
  try {
    return await post<ActOutcome>("/act", { person, ...body });
  } catch {
    return { kind: "failed", reason: "page_server" };
  }
};

/** Subscribes to the person's view; returns a function that unsubscribes. The browser reconnects by itself. */
const watch = (
  person: string,
  onView: (view: PageView) => void,
  onConnection: (connected: boolean) => void,
): (() => void) => {
  const source = new EventSource(`/events?person=${encodeURIComponent(person)}`);
  source.addEventListener("message", (event: MessageEvent<string>) => {
    onView(JSON.parse(event.data) as PageView);
  });
  source.addEventListener("open", () => onConnection(true));
  source.addEventListener("error", () => onConnection(false));
  return () => source.close();
};

/** Context for rendering a message and acting on it. */
export interface MessageContext {
  readonly view: PageView;
  readonly now: () => number;
  /** Whether the message is in a guild channel. */
  readonly inGuild: boolean;
  /** The pending or failed action on a component of this message. */
  readonly attempt: Attempt | undefined;
  readonly perform: PageStore["perform"];
}
