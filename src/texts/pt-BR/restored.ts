/** The bot came back from a copy, or was away: what a seller looks at before money moves again. */
export const restored = {
  questions: {
    newer: {
      title: "Confira estes saques antes de pedir outro",
      next:
        "O bot esteve parado e pode não saber de tudo: o serviço mostra saques que não estão aqui. " +
        "Veja se o que você ia pedir já saiu. Não enviei nada agora. Depois de conferir, toque no botão e os saques voltam.",
    },
    short: {
      title: "Confira no painel antes de sacar",
      next:
        "O bot esteve parado e pode não saber de tudo, e a lista do serviço não vai longe o bastante para eu comparar. " +
        "Veja no painel se os seus últimos saques são os que você espera. Não enviei nada agora. Depois de conferir, toque no botão e os saques voltam.",
    },
    unreadable: {
      title: "Ainda não consegui conferir os seus saques",
      next:
        "O bot esteve parado e pode não saber de tudo, e agora não consegui ler a lista do serviço. Não enviei nada. " +
        "Tente de novo em um minuto. Se continuar assim, veja os seus últimos saques no painel e toque no botão.",
    },
  },
  noticeTitle: "Os saques desta conta esperam você",
  noticeAlone: "Os seus saques esperam você: o bot esteve parado, e falta conferir os últimos.",
  guardsToo:
    "Trava, PIN, limite e chaves guardadas também podem ter voltado ao que eram: veja em `/seguranca`.",
  listed: "No serviço, e não aqui",
  more: (count: number): string => `E mais ${count}, no painel do serviço.`,
  first: "Antes do próximo saque",
  checkedList: "Conferi estes saques",
  checkedPanel: "Conferi no painel",
  done: "Conferido",
  doneText: "Os saques desta conta voltaram. Ficou anotado que foi você quem conferiu.",
};
