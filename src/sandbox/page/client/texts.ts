import type { PageLocale } from "../page-view.ts";

const PORTUGUESE = {
  onlyYou: "Só você pode ver esta mensagem",
  dismiss: "Ignorar mensagem",
  thinking: (bot: string): string => `${bot} está pensando…`,
  noAnswer: "O aplicativo não respondeu",
  notPermitted: "Você não tem permissão para usar este comando",
  notAccepted: "O Discord não aceitou este comando: confira as opções",
  sandboxGone: "A demonstração não está respondendo: veja o terminal em que ela roda",
  interactionFailed: "Esta interação falhou",
  used: "usou",
  edited: "(editado)",
  yes: "Verdadeiro",
  no: "Falso",
  today: (time: string): string => `Hoje às ${time}`,
  yesterday: (time: string): string => `Ontem às ${time}`,
  tomorrow: (time: string): string => `Amanhã às ${time}`,
  send: "Enviar",
  cancel: "Cancelar",
  formFailed: "Algo deu errado. Tente novamente.",
  fieldRequired: (label: string): string => `Preencha “${label}”.`,
  fieldTooShort: (label: string, least: number): string =>
    `“${label}” precisa de pelo menos ${least} caracteres.`,
  choose: "Escolha uma opção",
  required: "Esta opção é obrigatória",
  pickOne: "Escolha um dos valores da lista",
  command: "Comando",
  typeSlash: "Escreva, ou use um /comando",
  typeDirectSlash: "Digite / para usar um comando",
  commandsOnly: "Aqui o bot lê só comandos, que começam com /.",
  commandsOf: (bot: string): string => `Comandos do ${bot}`,
  noSuchCommand: "Nenhum comando com este nome",
  notACommand: "Este comando não existe, ou não é para esta pessoa.",
  tooLong: "Uma mensagem tem no máximo 2.000 caracteres.",
  messageMenu: "Apps desta mensagem",
  options: "Opções",
  moreOptions: (count: number): string => (count === 1 ? "+ 1 opção" : `+ ${count} opções`),
  channelStart: (name: string): string => `Este é o começo de #${name}`,
  seeCommands: (bot: string): string => `Digite / para ver os comandos do ${bot}.`,
  directStart: (name: string): string => `Mensagens diretas de ${name}`,
  noNotices: "Avisos que são só seus chegam aqui. Por enquanto, nenhum.",
};

/** Texts of Discord's client around messages. */
export type ClientTexts = typeof PORTUGUESE;

const ENGLISH: ClientTexts = {
  onlyYou: "Only you can see this",
  dismiss: "Dismiss message",
  thinking: (bot) => `${bot} is thinking…`,
  noAnswer: "The application did not respond",
  notPermitted: "You do not have permission to use this command",
  notAccepted: "Discord did not accept this command: check its options",
  sandboxGone: "The demo is not responding: look at the terminal where it runs",
  interactionFailed: "This interaction failed",
  used: "used",
  edited: "(edited)",
  yes: "True",
  no: "False",
  today: (time) => `Today at ${time}`,
  yesterday: (time) => `Yesterday at ${time}`,
  tomorrow: (time) => `Tomorrow at ${time}`,
  send: "Submit",
  cancel: "Cancel",
  formFailed: "Something went wrong. Try again.",
  fieldRequired: (label) => `Fill in “${label}”.`,
  fieldTooShort: (label, least) => `“${label}” needs at least ${least} characters.`,
  choose: "Make a selection",
  required: "This option is required",
  pickOne: "Pick one of the listed values",
  command: "Command",
  typeSlash: "Write, or type / to use a command",
  typeDirectSlash: "Type / to use a command",
  commandsOnly: "Here the bot reads commands only, which begin with /.",
  commandsOf: (bot) => `Commands of ${bot}`,
  noSuchCommand: "No command of that name",
  notACommand: "There is no such command, or it is not for this person.",
  tooLong: "A message has at most 2,000 characters.",
  messageMenu: "Apps for this message",
  options: "Options",
  moreOptions: (count) => (count === 1 ? "+ 1 option" : `+ ${count} options`),
  channelStart: (name) => `This is the start of #${name}`,
  seeCommands: (bot) => `Type / to see the commands of ${bot}.`,
  directStart: (name) => `Direct messages from ${name}`,
  noNotices: "Notices for you alone arrive here. None so far.",
};

export const textsIn = (locale: PageLocale): ClientTexts =>
  locale === "pt-BR" ? PORTUGUESE : ENGLISH;

/** The text for a failed action. */
export const failureText = (reason: string, texts: ClientTexts): string => {
  switch (reason) {
    case "not_permitted":
      return texts.notPermitted;
    case "invalid_input":
    case "unknown_command":
      return texts.notAccepted;
    case "page_server":
      return texts.sandboxGone;
    default:
      return texts.noAnswer;
  }
};
