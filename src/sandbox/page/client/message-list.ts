import type { PageChannel, PageMessage, PageView } from "../page-view.ts";
import { demoTextsIn } from "./demo-texts.ts";
import { byId, createKeyedChildren, element, type KeyedChild } from "./element.ts";
import { commandSnippet } from "./guide.ts";
import { refreshTimes } from "./markdown.ts";
import { answersLine, note, renderMessage, thinkingDots } from "./message.ts";
import type { Attempt, MessageContext, PageStore } from "./page-store.ts";
import { failureText, textsIn } from "./texts.ts";
import { clockDate, messageTime } from "./times.ts";

/** Distance from the end, in pixels, within which the list follows new messages. */
const NEAR_END = 80;

/** The messages of the open channel and its pending attempts. */
export const createMessageList = (
  store: PageStore,
  type: (line: string) => void,
): { readonly draw: () => void; readonly refresh: () => void } => {
  const scroller = byId("messages");
  const list = element("discord-messages", { "no-background": true });
  scroller.append(list);
  list.addEventListener("click", (event) => openLinkedChannel(event, store));
  list.addEventListener("click", (event) => {
    const mention = (event.target as Element).closest<HTMLElement>("[data-command]");
    if (mention !== null) type(`${mention.dataset["command"]} `);
  });
  const setChildren = createKeyedChildren(list);
  let shownChannel = "";
  let atEnd = true;
  const toEnd = (): void => scroller.scrollTo({ top: scroller.scrollHeight });
  const pill = byId("new-messages");
  pill.addEventListener("click", () => {
    toEnd();
    pill.hidden = true;
    scroller.focus({ preventScroll: true });
  });
  let newestShown = "";
  let waitingShown = "";
  scroller.addEventListener("scroll", () => {
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END;
    if (atEnd) pill.hidden = true;
  });
  // Resizing the window and loading pictures move the end of the list.
  const sizes = new ResizeObserver(() => {
    if (atEnd) toEnd();
  });
  for (const node of [scroller, list]) sizes.observe(node);

  const contextOf = (view: PageView, attempt: Attempt | undefined): MessageContext => ({
    view,
    now: store.now,
    inGuild: store.channel()?.kind === "guild",
    attempt,
    perform: store.perform,
  });

  const messageRow = (message: PageMessage, view: PageView): KeyedChild => {
    const attempt = store.attempts().find(({ messageId }) => messageId === message.id);
    const dismiss = () => void store.ask({ kind: "dismiss", messageId: message.id });
    return {
      key: `message ${message.id}`,
      signature: JSON.stringify([
        message,
        attempt,
        view.me,
        view.menuCommands,
        clockDate(store.now(), view.me.locale),
      ]),
      render: () => renderMessage(message, contextOf(view, attempt), dismiss),
    };
  };

  const attemptRow = (attempt: Attempt, view: PageView): KeyedChild => ({
    key: attempt.key,
    signature: `${attempt.state} ${view.me.locale} ${clockDate(store.now(), view.me.locale)}`,
    render: () => renderAttempt(attempt, view, store),
  });

  const draw = (): void => {
    const view = store.view();
    const channel = store.channel();
    if (view === undefined || channel === undefined) return;
    const place = `${view.me.id} ${channel.id}`;
    const newest = channel.messages.at(-1)?.id ?? "";
    const waiting =
      store.attempts().findLast(({ messageId }) => messageId === null)?.key ?? waitingShown;
    // After an own attempt the list scrolls to the end, where the answer will appear.
    if (place !== shownChannel || waiting !== waitingShown) {
      atEnd = true;
      pill.hidden = true;
    } else if (newest !== newestShown && !atEnd) pill.hidden = false;
    shownChannel = place;
    waitingShown = waiting;
    newestShown = newest;

    const attempts = store.attempts().filter((attempt) => isOpenHere(attempt, channel));
    const rows = inTimeOrder(channel.messages, attempts).map((row) =>
      "after" in row ? attemptRow(row, view) : messageRow(row, view),
    );
    setChildren(rows.length === 0 ? [emptyRow(channel, view, type)] : rows);
    if (atEnd) requestAnimationFrame(toEnd);
  };

  return {
    draw,
    refresh: () => {
      const view = store.view();
      if (view !== undefined) refreshTimes(list, contextOf(view, undefined));
    },
  };
};

const idOf = (id: string): bigint => BigInt(id === "" ? 0 : id);

/** Messages with the attempts made between them. Ids grow with time, and the message before an attempt may be gone. */
export const inTimeOrder = <
  Message extends { readonly id: string },
  Made extends { readonly after: string },
>(
  messages: readonly Message[],
  attempts: readonly Made[],
): readonly (Message | Made)[] => {
  // Attempts stand in the order of their ends.
  const waiting = attempts.toSorted((one, other) => Number(idOf(one.after) - idOf(other.after)));
  const rows = messages.flatMap((message) => {
    const later = waiting.findIndex(({ after }) => idOf(after) >= idOf(message.id));
    const before = waiting.splice(0, later === -1 ? waiting.length : later);
    return [...before, message];
  });
  return [...rows, ...waiting];
};

/** A pending attempt disappears as soon as a newer message, its answer, is in the channel. */
const isOpenHere = (attempt: Attempt, channel: PageChannel): boolean => {
  if (attempt.messageId !== null || attempt.channelId !== channel.id) return false;
  return attempt.state === "failed" || (channel.messages.at(-1)?.id ?? "") === attempt.after;
};

/** A link to the guild opens its first channel. */
const openLinkedChannel = (event: Event, store: PageStore): void => {
  const link = (event.target as Element).closest<HTMLElement>("[data-channel]");
  const channels = store.view()?.channels ?? [];
  const wanted = link?.dataset["channel"] || channels[0]?.id;
  if (link !== null && channels.some(({ id }) => id === wanted)) store.chooseChannel(wanted ?? "");
};

const renderAttempt = (attempt: Attempt, view: PageView, store: PageStore): HTMLElement => {
  const texts = textsIn(view.me.locale);
  const answers = { command: attempt.label, by: view.me.name, avatar: view.me.avatar };
  return element(
    "discord-message",
    {
      author: view.botName,
      avatar: view.botAvatar,
      bot: true,
      class: "private",
      timestamp: messageTime(attempt.at, view.me.locale, store.now()),
    },
    answersLine({ answers }, texts.used),
    attempt.state === "waiting"
      ? thinkingDots(texts.thinking(view.botName))
      : element("span", { class: "no-answer", role: "alert" }, failureText(attempt.reason, texts)),
    attempt.state === "failed"
      ? note("private-note", texts.onlyYou, {
          label: texts.dismiss,
          act: () => store.forget(attempt.key),
        })
      : null,
  );
};

const FIRST_COMMAND = "/conta conectar";

/** The guide's first step. On a phone the guide is closed at first. */
const firstStep = (
  channel: PageChannel,
  { guide, me }: PageView,
  type: (line: string) => void,
): HTMLElement | null => {
  if (channel.kind === "direct" || guide.sellers[0]?.personId !== me.id) return null;
  const texts = demoTextsIn(me.locale);
  return element(
    "div",
    { class: "first-step" },
    element("p", {}, texts.stepConnect(me.name)),
    commandSnippet(FIRST_COMMAND, texts, type),
  );
};

const emptyRow = (
  channel: PageChannel,
  view: PageView,
  type: (line: string) => void,
): KeyedChild => ({
  key: "empty",
  signature: `${channel.id} ${view.me.id} ${view.me.locale}`,
  render: () => {
    const texts = textsIn(view.me.locale);
    const [title, about] =
      channel.kind === "direct"
        ? [texts.directStart(channel.name), texts.noNotices]
        : [texts.channelStart(channel.name), texts.seeCommands(view.botName)];
    return element(
      "div",
      { class: "empty" },
      element("strong", {}, title),
      element("p", {}, about),
      firstStep(channel, view, type),
    );
  },
});
