/** `/cobrar`: a charge, its card and its end. */
export const charges = {
  open: (amount: string): string => `Cobrança de ${amount}`,
  openText:
    "Mostre o QR a quem vai pagar, ou mande o código: **Copiar código** o mostra sozinho. Eu aviso quando o dinheiro cair.",
  openUnfollowed:
    "O código vale, mas o serviço não disse o txid: confira o pagamento no painel do serviço.",
  published: {
    soon: "O cartão sai neste canal em instantes.",
    sent: "O cartão já saiu neste canal. Se não está mais aqui, copie o código e mande.",
    unclear:
      "Não sei se o cartão saiu no canal, e não mando outro. Confira lá; se não saiu, copie o código e mande.",
    late: "O prazo deste código acabou, então não publiquei.",
  },
  creating: "A cobrança está saindo",
  creatingText: "Espere um instante: eu atualizo esta mensagem.",
  unknown: "A cobrança pode ter sido criada",
  unknownText:
    "A resposta do serviço se perdeu. Não repito o pedido: estou procurando a cobrança e conto aqui. Espere antes de pedir outra.",
  missing: "Não achei a cobrança",
  missingText:
    "Procurei na lista do serviço e ela não está lá. Pode pedir outra com `/cobrar`; se quiser ter certeza antes, confira no painel.",
  unclear: "Não sei qual pagamento é o desta cobrança",
  found: "Achei a cobrança que se perdeu",
  foundText:
    "Ela foi criada uma vez só. Mande este código a quem vai pagar; eu aviso quando o dinheiro cair.",
  noCode: {
    no_code: "O serviço criou a cobrança e não mandou o código PIX: pegue no painel dele.",
    broken_code:
      "O serviço mandou um código PIX que não confere, então não o mostro: pegue no painel dele.",
    several_codes:
      "O serviço mandou mais de um código PIX, e não sei qual vale: pegue no painel dele.",
    other_amount:
      "O serviço mandou um código PIX de outro valor, então não o mostro: confira no painel dele.",
    unclear:
      "A resposta do serviço se perdeu ou não disse qual é, e na lista dele há mais de um pagamento com este valor e esta descrição, um já pago, ou um que não consigo ler. Confira no painel qual é o desta cobrança antes de entregar ou de pedir outra.",
  },
  paid: (amount: string): string => `Pago: ${amount}`,
  paidText: (at: string): string => `Caiu em ${at}.`,
  refunded: (amount: string): string => `Estornado: ${amount}`,
  refundedText: "O pagamento desta cobrança foi estornado.",
  expired: (amount: string): string => `Expirado: ${amount}`,
  expiredText: "Ninguém pagou no prazo. O código não vale mais; para cobrar de novo, `/cobrar`.",
  cardExpired: "O prazo passou. Não pague este código: peça outro a quem vende.",
  cardPaid: (at: string): string => `Recebido em ${at}.`,
  cardRefunded: "O pagamento foi estornado.",
  cardUnfollowed: "Esta cobrança não é mais acompanhada aqui.",
  unfollowed: (amount: string): string => `Pagamento não confirmado: ${amount}`,
  unfollowedText:
    "Parei de acompanhar esta cobrança sem ver o pagamento. Se ela foi ou ainda for paga, aparece no painel e em `/vendas`.",
  other: (received: string): string => `Entrou um valor diferente: ${received}`,
  otherText: (amount: string): string =>
    `A cobrança era de ${amount}. Confira o pagamento no painel antes de entregar.`,
  rejected: "O serviço recusou a cobrança",
  rejectedText: "Nada foi criado. Corrija o que ele diz e peça de novo com `/cobrar`.",
  rejectedSilentText:
    "Nada foi criado, e o serviço não disse o motivo. Tente de novo em alguns minutos; se continuar, fale com o suporte dele.",
  rejectedKeyText:
    "Nada foi criado. Ele não aceitou a sua chave da API. Conecte a atual com `/conta conectar` e peça de novo com `/cobrar`.",
  said: "O que o serviço disse",
  notSent: "A cobrança não saiu",
  notSentText: "Não consegui falar com o serviço, e nada foi criado. Tente de novo em um minuto.",
  waitFor: (wait: string): string => `Nada foi criado. Tente de novo em ${wait}.`,

  amount: "Valor",
  description: "Descrição",
  seller: "Quem vende",
  youGet: "Você recebe",
  expected: (net: string, fee: string): string => `**${net}**\ntaxa esperada de 6%: ${fee}`,
  told: (net: string, fee: string): string => `**${net}**\ntaxa ${fee}`,
  toldOther: (net: string, fee: string, expected: string): string =>
    `**${net}**\ntaxa ${fee}, como o serviço disse; 6% seriam ${expected}`,
  validUntil: "Vale até",
  txid: "Txid da cobrança",
  code: "Código PIX copia e cola",
  /** Of the code, for who does not see it. */
  picture: (amount: string): string => `QR do PIX de ${amount}. Em texto: “Copiar código”.`,
  publish: "Publicar no canal",
  copy: "Copiar código",
  unposted: "O cartão da cobrança não saiu no canal",
  unpostedOnceText:
    "Não deu para mandar desta vez. Toque de novo em **Publicar no canal**, na resposta do `/cobrar`, ou copie o código e mande: ele continua valendo.",
  unsure: "Não sei se o cartão da cobrança saiu no canal",
  unsureText: (channel: string): string =>
    `Confira em ${channel}: se não saiu, copie o código e mande, porque não mando outro. Se saiu, ele não vai mostrar o fim da cobrança.`,
  refusedLaterText: (channel: string): string =>
    `Uma tentativa ficou sem resposta, e na seguinte não consegui postar. Confira em ${channel}: se o cartão não saiu, copie o código e mande. Quando eu puder postar lá, toque de novo em **Publicar no canal**, na resposta do \`/cobrar\`: se ele já saiu, eu o encontro e não mando outro.`,
  unpostedText: (channel: string): string =>
    `Não consigo postar em ${channel}. Copie o código e mande: ele continua valendo. Ou peça a quem gerencia o servidor que me deixe ver o canal, enviar mensagens, inserir links e anexar arquivos (em tópico, também enviar mensagens em tópicos), e toque de novo em **Publicar no canal**, na resposta do \`/cobrar\`. Se o tópico for privado, me mencione nele antes; se estiver trancado, peça também que o destranquem.`,
};
