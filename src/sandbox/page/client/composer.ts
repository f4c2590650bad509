import type { PageOptionValue } from "../page-view.ts";
import { type CommandEntry, createCommandEntry } from "./command-entry.ts";
import {
  commandLabel,
  matchCommands,
  parseCommandLine,
  type TypedCommand,
} from "./command-line.ts";
import { byId, element } from "./element.ts";
import type { PageStore } from "./page-store.ts";
import { createSuggestionList } from "./suggestion-list.ts";
import { failureText, textsIn } from "./texts.ts";

/** Of a message. Source: Discord's reference, "Create Message". */
const MOST_CHARACTERS = 2_000;

/** The input for commands: plain text until a command is recognised, then the command with its options. */
export const createComposer = (store: PageStore) => {
  const place = byId("composer-line");
  const hint = byId("composer-hint");
  const send = byId("composer-send");
  const list = createSuggestionList(byId("suggestions"));
  let entry: CommandEntry | undefined;
  /** Discord keeps one for each channel. */
  const drafts = new Map<
    string,
    { readonly text: string; readonly entry: CommandEntry | undefined }
  >();
  let drawnFor = "";
  let drawnLocale = "";

  const line = element("input", {
    type: "text",
    id: "composer-input",
    role: "combobox",
    "aria-controls": "suggestions",
    "aria-expanded": "false",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => read(),
    onfocus: () => read(),
    onkeydown: (event: KeyboardEvent) => lineKey(event),
  });

  /** Commands that Discord offers in the open channel. */
  const offered = () =>
    (store.view()?.commands ?? []).filter(({ place }) => place === store.channel()?.kind);

  const texts = () => textsIn(store.locale());

  const writeText = (text: string): void => {
    entry?.stop();
    entry = undefined;
    list.hide();
    line.value = text;
    place.replaceChildren(line);
    hint.textContent = "";
  };

  const startCommand = (typed: TypedCommand): CommandEntry => {
    hint.textContent = "";
    const started = createCommandEntry(typed, {
      store,
      list,
      onProblem: (problem) => {
        hint.textContent = problem;
      },
      onSend: (options) => sendCommand(typed, options),
      onLeave: (text) => {
        writeText(text);
        line.focus();
      },
    });
    entry = started;
    place.replaceChildren(started.node);
    list.hide();
    started.focus();
    return started;
  };

  const sendCommand = (
    { command }: TypedCommand,
    options: Readonly<Record<string, PageOptionValue>>,
  ): void => {
    const { name, subcommand } = command;
    const channelId = store.channel()?.id;
    writeText("");
    line.focus();
    list.hide();
    void store.perform(
      { kind: "command", channelId, name, subcommand, options },
      { label: commandLabel(command), messageId: null },
    );
  };

  const read = (): void => {
    const commands = offered();
    hint.textContent = "";
    if (!line.value.startsWith("/")) return list.hide();
    const typed = parseCommandLine(commands, line.value);
    if (typed !== undefined) return void startCommand(typed);
    const matches = matchCommands(commands, line.value);
    list.show(
      line,
      matches.length > 0 ? texts().commandsOf(store.view()?.botName ?? "") : texts().noSuchCommand,
      matches.map((command) => ({
        label: commandLabel(command),
        detail: command.description,
        pick: () => void startCommand({ command, texts: new Map() }),
      })),
      true,
    );
  };

  const writeMessage = (): void => {
    const content = line.value.trim();
    if (content === "") return;
    if (content.startsWith("/")) {
      hint.textContent = texts().notACommand;
      return;
    }
    if (store.channel()?.kind === "direct") {
      hint.textContent = texts().commandsOnly;
      return;
    }
    if (content.length > MOST_CHARACTERS) {
      hint.textContent = texts().tooLong;
      return;
    }
    writeText("");
    void sendMessage(content);
  };

  /** A text that was not sent comes back before the one typed meanwhile. */
  const sendMessage = async (content: string): Promise<void> => {
    const outcome = await store.ask({ kind: "write", channelId: store.channel()?.id, content });
    if (outcome.kind !== "failed") return;
    if (entry === undefined) writeText(`${content} ${line.value}`.trim());
    hint.textContent = failureText(outcome.reason, texts());
  };

  const lineKey = (event: KeyboardEvent): void => {
    if (list.handleKey(event) || event.key !== "Enter") return;
    event.preventDefault();
    submit();
  };

  const submit = (): void => {
    if (entry !== undefined) return entry.submit();
    const typed = parseCommandLine(offered(), `${line.value.trimStart()} `);
    if (typed === undefined) return writeMessage();
    startCommand(typed).submit();
  };
  send.addEventListener("click", submit);
  document.addEventListener("focusout", (event) => {
    const next = event.relatedTarget;
    if (!(next instanceof Node) || !place.contains(next)) list.hide();
  });
  document.addEventListener("keydown", (event) => {
    const typingElsewhere = (event.target as Element).closest("input, select, dialog");
    if (event.key !== "/" || typingElsewhere !== null) return;
    event.preventDefault();
    if (entry === undefined) writeText("/");
    line.focus();
  });

  return {
    draw: (): void => {
      const view = store.view();
      const channel = store.channel();
      if (view === undefined || channel === undefined) return;
      if (document.activeElement === line && view.me.locale !== drawnLocale) read();
      drawnLocale = view.me.locale;
      const direct = channel.kind === "direct";
      line.setAttribute("aria-label", texts().command);
      line.placeholder = direct ? texts().typeDirectSlash : texts().typeSlash;
      const drawFor = `${view.me.id} ${channel.kind}`;
      if (drawFor === drawnFor) return;
      drafts.set(drawnFor, { text: line.value, entry });
      drawnFor = drawFor;
      const draft = drafts.get(drawFor);
      writeText(draft?.entry === undefined ? (draft?.text ?? "") : "");
      if (draft?.entry === undefined) return;
      entry = draft.entry;
      place.replaceChildren(entry.node);
    },
    /** Puts this line into the composer, as if the person had typed it. */
    type: (text: string): void => {
      const elsewhere = store.view()?.channels.find(({ kind }) => kind === "guild");
      const isHere = parseCommandLine(offered(), text) !== undefined;
      if (!isHere && store.channel()?.kind === "direct" && elsewhere !== undefined) {
        store.chooseChannel(elsewhere.id);
      }
      writeText(text);
      line.focus();
      read();
    },
  };
};
