import type { UserErrorReason, WalletErrorKind } from "../shared/errors.ts";
import type { ChannelPermission } from "../shared/permissions.ts";
import {
  busyAccount,
  busyByAnother,
  capWithoutLess,
  disputeReturned,
  earlierOfAnother,
  refundOfAnother,
  refundUndecided,
  unfinishedOfAnother,
  type Explanation,
  moneyErrors,
} from "./money-errors.pt-BR.ts";

export const userErrors: Readonly<Record<UserErrorReason["kind"], Explanation>> = {
  invalid_date: {
    title: "Não entendi essa data",
    next: "Escreva `hoje`, `ontem` ou um dia como `19/11`.",
  },
  future_date: {
    title: "Esse dia ainda não começou",
    next: "Peça `hoje` ou um dia que já passou, como `ontem` ou `19/11/2026`.",
  },
  invalid_period: {
    title: "Não entendi esse período",
    next: "Escreva como `7 dias`, `este mês`, `19/11` ou `01/11 a 15/11`.",
  },
  period_too_long: {
    title: "Esse período é longo demais",
    next: "Mostro até 31 dias de uma vez, o mais antigo primeiro: peça um mês, como `mês passado`, ou `01/10 a 31/10`.",
  },
  invalid_time: {
    title: "Não entendi esse horário",
    next: "Escreva como `21:05`, de `00:00` a `23:59`.",
  },
  invalid_time_zone: {
    title: "Não conheço esse fuso",
    next: "Escolha um da lista que aparece enquanto você digita, como `America/Sao_Paulo`.",
  },
  malformed_api_key: {
    title: "Isso não parece uma chave da API",
    next: "Copie a chave inteira, sem espaços, quebras de linha nem caracteres invisíveis no meio, e use `/conta conectar` de novo. Nada foi guardado.",
  },
  api_key_refused: {
    title: "O serviço recusou essa chave",
    next: "Veja se ela foi copiada inteira e se ainda está ativa no serviço de pagamentos, e use `/conta conectar` de novo. Nada foi guardado.",
  },
  api_key_of_another_account: {
    title: "Esta chave é de outra conta",
    next: "Cada pessoa conecta a chave da própria conta. Nada foi guardado.",
  },
  key_of_other_wallet: {
    title: "Esta chave é de outra conta",
    next: "Não mudei nada: aqui a troca é só por uma chave da mesma conta. Para usar a outra conta neste servidor: `/conta conectar`. Antes veja, em `/conta desconectar`, o que se perde com a de agora.",
  },
  withdrawal_unfinished: {
    title: "Um saque ou estorno da conta conectada ainda não terminou",
    next: "Sem esta chave eu não conseguiria acompanhá-lo até o fim, então não mudei nada. Veja em `/saques` como ele está: espere terminar ou, se ele espera a sua resposta, responda. Para apagar a chave mesmo assim: `/conta desconectar`.",
  },
  too_many_keys: {
    title: "Muitas chaves em pouco tempo",
    next: "Nada foi guardado. Enquanto espera, confira se a chave foi copiada inteira e se ainda está ativa no serviço de pagamentos.",
  },
  member_is_bot: {
    title: "Bots não têm chave",
    next: "Em `membro`, escolha uma pessoa.",
  },
  member_not_found: {
    title: "Não encontrei essa pessoa neste servidor",
    next: "Nada foi guardado. Em `membro`, escolha quem está no servidor. Se ela está, tente de novo daqui a pouco.",
  },
  member_has_key: {
    title: "Essa pessoa acabou de conectar uma chave",
    next: "Nada mudou. Use o comando de novo, e eu pergunto a ela se aceita a troca.",
  },
  member_not_connected: {
    title: "Essa pessoa não tem mais chave aqui",
    next: "Não há o que desconectar. `/config ver` mostra quem tem.",
  },
  key_offer_gone: {
    title: "Essa troca de chave não vale mais",
    next: "Ela foi respondida, substituída, passou de 24 horas, ou não consigo mais ler a chave nova. A sua não mudou com este toque: a que vale agora está em `/conta ver`, no servidor, e para trocá-la use `/conta conectar` lá.",
  },
  same_key_offered: {
    title: "Essa pessoa já usa esta chave",
    next: "Nada mudou, e não perguntei nada a ela.",
  },
  connect_in_server: {
    title: "A chave é conectada em um servidor",
    next: "Use `/conta conectar` no servidor em que você vende. Aqui você vê e desconecta as que já conectou: `/conta ver`.",
  },
  nothing_connected: {
    title: "Você não tem nenhuma chave conectada",
    next: "Não guardo nenhuma chave sua. Para conectar uma, use `/conta conectar` no servidor em que você vende.",
  },
  several_accounts: {
    title: "De qual conta?",
    next: "Você conectou contas diferentes, e aqui não sei qual é. Escolha o servidor da conta que quer ver, ou use o comando nele.",
  },
  several_servers: {
    title: "De qual servidor?",
    next: "Você conectou a sua conta em mais de um servidor, e a meta é de cada um. Escolha o servidor, ou use o comando nele.",
  },
  nothing_to_disconnect: {
    title: "Não há o que desconectar",
    next: "Você não tem chave conectada neste servidor. Para ver se há em outro, use `/conta ver` na nossa conversa direta.",
  },
  not_connected: {
    title: "Você ainda não conectou a sua chave",
    next: "Toque no botão, ou use `/conta conectar`, e cole a chave da API no formulário.",
  },
  key_unreadable: {
    title: "Não consigo mais ler a sua chave",
    next: "Este bot perdeu o segredo com que a guardou. Toque no botão, ou use `/conta conectar`, e cole a chave da API de novo.",
  },
  report_not_configured: {
    title: "O relatório diário ainda não tem canal",
    next: "Escolha um no menu de `/config relatorio`.",
  },
  channel_required: {
    title: "Falta escolher o canal",
    next: "Na primeira vez, escolha onde o relatório sai no menu de `/config relatorio`. Nada mudou.",
  },
  alerts_not_configured: {
    title: "Os alertas de MED ainda não têm canal",
    next: "Escolha um no menu de `/config alertas`. Até lá eles vão por mensagem direta.",
  },
  sales_not_configured: {
    title: "Os avisos de venda ainda não têm canal",
    next: "Na primeira vez, escolha onde eles saem no menu de `/config vendas`. Nada mudou.",
  },
  minimum_unreadable: {
    title: "Não entendi esse valor mínimo",
    next: "Escreva como `50`, `49,90` ou `1.234,56`, ou `0` para avisar de todas. Nada mudou.",
  },
  role_is_everyone: {
    title: "Não aviso o servidor inteiro",
    next: "Em `cargo`, escolha o cargo de quem cuida dos MEDs. Nada mudou.",
  },
  missing_channel_permissions: {
    title: "Não consigo postar nesse canal",
    next: "Quem gerencia o servidor dá ao Balcão, nas configurações do canal, as permissões que faltam. Depois, tente de novo. Nada mudou.",
  },
  manage_server_required: {
    title: "Isso é para quem gerencia o servidor",
    next: "Peça a alguém com a permissão Gerenciar servidor.",
  },
  not_your_button: {
    title: "Este botão é de outra pessoa",
    next: "Use o comando você mesmo, e os botões serão seus.",
  },
  not_your_dispute: {
    title: "Este MED é de outra pessoa",
    next: "Os botões dele são só de quem vendeu. Os seus MEDs estão em `/meds`.",
  },
  outdated_component: {
    title: "Esta mensagem está desatualizada",
    next: "Use o comando de novo para ter uma atual.",
  },
  outdated_command: {
    title: "Este comando mudou",
    next: "Feche e abra o Discord para ver os comandos atuais. A lista está em `/ajuda`.",
  },
  webhook_not_set_up: {
    title: "Quem cuida do bot ainda não ligou os endereços de aviso",
    next: "Falta o `PUBLIC_URL` na configuração. Sem isso nada se perde: continuo olhando a sua conta sozinho, de poucos em poucos minutos.",
  },
  guild_only: {
    title: "Isso só funciona em um servidor",
    next: "Use o comando no servidor em que você usa o Balcão.",
  },
  not_begun: {
    title: "Não fiz nada",
    next: "O Discord falhou bem na hora do toque, e sem ele eu não começo. Nenhum dinheiro se moveu: toque de novo.",
  },
  too_many_commands: {
    title: "Muitos comandos seguidos",
    next: "Este não chegou a começar: nenhum dinheiro se moveu, e nada mudou.",
  },
  too_many_failed_posts: {
    title: "Muitas tentativas que o Discord não aceitou",
    next: "Esta eu nem enviei. Enquanto espera, confira se posso ver o canal, enviar mensagens, inserir links e anexar arquivos nele. Se era por mensagem direta, confira se as suas estão abertas neste servidor. O código de uma cobrança aberta continua valendo: copie e mande.",
  },
  took_too_long: {
    title: "Demorou mais do que o Discord espera",
    next: "O que começou pode terminar sozinho. Se era um saque, um estorno ou uma cobrança, não repita: veja como ficou em `/saques`, e a cobrança em `/transacoes`. O resto, peça de novo.",
  },
  database_away: {
    title: "O banco de dados não responde agora",
    next: "Este comando ou toque não moveu dinheiro. Tente em um minuto.",
  },
  lock_not_kept: {
    title: "Não consegui travar os seus saques",
    next: "O banco de dados não responde agora: conte com os saques ainda destravados. Tente de novo em um minuto; se não der, revogue a chave da API no painel do serviço.",
  },
  dispute_not_found: {
    title: "Não achei esse MED",
    next: "Confira o código da infração, que aparece no painel do serviço. Se o MED é de outra conta sua, só a chave dela o mostra. A lista está em `/meds`.",
  },
  dispute_id_unreadable: {
    title: "Isso não parece o código de um MED",
    next: "Copie o código da infração no painel do serviço, sem espaços. A lista está em `/meds`. Se ele parece certo, há um caractere invisível; digite em vez de colar.",
  },
  proof_empty: {
    title: "Não há o que guardar nesta mensagem",
    next: "Ela não tem texto nem anexo. Escolha outra mensagem.",
  },
  proof_gone: {
    title: "Essa mensagem já não espera um txid",
    next: "Guardo uma mensagem sem txid por 15 minutos. Escolha **Guardar como prova** nela outra vez.",
  },
  proof_not_found: {
    title: "Não achei essa prova",
    next: "Ela pode ter sido apagada. As que você tem estão em `/provas`.",
  },
  proofs_full: {
    title: "Você já tem provas demais",
    next: "Apague em `/provas` as de vendas antigas e guarde esta de novo. Nada foi guardado agora.",
  },
  txid_unreadable: {
    title: "Isso não parece um txid",
    next: "Copie o txid no serviço, sem espaços, ou escolha uma venda: `/transacoes` e o formulário de **Guardar como prova** mostram as mais novas. Se ele parece certo, há um caractere invisível; digite em vez de colar.",
  },
  transaction_not_found: {
    title: "Não achei essa transação na sua conta",
    next: "Confira o txid, ou escolha uma da lista em `/transacoes`.",
  },
  brasilia_day_unread: {
    title: "Não consegui ler a lista de transações",
    next: "O dia de Brasília sai dela; sem ela, vale o dia do relatório.",
  },
  brasilia_day_long: {
    title: "A lista de transações é longa demais para este dia",
    next: "Só consegui ler uma parte, e a soma sairia errada: vale o dia do relatório.",
  },
  brasilia_day_old: {
    title: "A lista de transações não chega até esse dia",
    next: "Só consigo ler as transações mais novas, e ele é mais antigo que elas: vale o dia do relatório.",
  },
  brasilia_day_undated: {
    title: "Há vendas sem data na lista de transações",
    next: "Não dá para saber de que dia elas são, e a soma sairia errada: vale o dia do relatório.",
  },
  brasilia_day_differs: {
    title: "A lista de transações não bate com o relatório",
    next: "Se uma venda entrou agora mesmo, tente de novo em um minuto; até lá, vale o dia do relatório.",
  },
  charge_gone: {
    title: "Essa cobrança não está mais aberta",
    next: "Ela foi paga, expirou ou é de outra pessoa. Se você ia pagar, peça outra a quem vende. Para cobrar de novo: `/cobrar`.",
  },
  may_not_write_here: {
    title: "Você não pode escrever neste canal",
    next: "Por isso não publico o cartão aqui. A cobrança continua valendo: copie o código e mande a quem vai pagar, ou use `/cobrar` em um canal onde você pode escrever.",
  },
  charge_amount_unreadable: {
    title: "Não entendi esse valor",
    next: "Escreva quanto cobrar como `50`, `50,00` ou `1.234,56`, sem sinal. Nada foi criado.",
  },
  charge_amount_too_small: {
    title: "O menor valor é R$\u00a00,01",
    next: "Escreva quanto cobrar, de um centavo para cima, como `79,90`. Nada foi criado.",
  },
  goal_unreadable: {
    title: "Não entendi essa meta",
    next: "Escreva quanto quer vender por mês, como `40.000` ou `1.234,56`. Nada mudou.",
  },
  goal_too_small: {
    title: "A menor meta é R$\u00a00,01",
    next: "Para ficar sem meta, toque em **Tirar a meta** na resposta de `/meta`. Nada mudou.",
  },
  goal_missing: {
    title: "Falta o valor da meta",
    next: "Diga quanto quer vender por mês: `/meta valor:`. Nada mudou.",
  },
  charge_description_empty: {
    title: "Falta a descrição",
    next: "O serviço exige uma: escreva o que está sendo vendido, como `Plano VIP mensal`. Nada foi criado.",
  },
  charge_description_long: {
    title: "Essa descrição é longa demais",
    next: "Escreva o que está sendo vendido em até 140 caracteres. Nada foi criado.",
  },
  ...moneyErrors,
};

const later = "Tente de novo em alguns minutos.";
const support =
  "Se continuar, fale com o suporte do serviço; se houver um código de suporte abaixo, passe-o.";

export const walletErrors: Readonly<Record<WalletErrorKind, Explanation>> = {
  unauthorized: {
    title: "O serviço recusou a sua chave da API",
    next: "Ela pode ter sido trocada ou revogada. Conecte a atual com `/conta conectar` no servidor em que você vende.",
  },
  forbidden: { title: "O serviço não permite isso para esta conta", next: support },
  not_found: { title: "O serviço não achou o que pedi", next: `${later} ${support}` },
  conflict: { title: "O serviço diz que isso já está em andamento", next: `${later} ${support}` },
  rate_limited: {
    title: "Pedidos demais em pouco tempo",
    next: "Espere um minuto e tente de novo.",
  },
  invalid_request: { title: "O serviço não aceitou o pedido", next: support },
  refused: { title: "O serviço não atendeu o pedido", next: `${later} ${support}` },
  unavailable: { title: "O serviço de pagamentos está com problemas", next: later },
  timeout: { title: "O serviço de pagamentos demorou demais", next: later },
  unreachable: { title: "Não consegui falar com o serviço de pagamentos", next: later },
  malformed: { title: "O serviço respondeu algo que não entendi", next: `${later} ${support}` },
};

export const unexpected: Explanation = {
  title: "Algo deu errado aqui do meu lado",
  next: "Tente de novo em alguns minutos. Se continuar, passe a referência abaixo a quem cuida do bot.",
};

const permissions: Readonly<Record<ChannelPermission, string>> = {
  view_channel: "Ver canal",
  send_messages: "Enviar mensagens",
  send_messages_in_threads: "Enviar mensagens em tópicos",
  embed_links: "Inserir links",
  attach_files: "Anexar arquivos",
  read_message_history: "Ver histórico de mensagens",
};

export const errorLabels = {
  permissions,
  given: "Você escreveu",
  servers: "Servidores",
  chooseServer: "Escolher o servidor da conta",
  missing: "Permissões que faltam",
  waitFor: (wait: string): string => `Espere ${wait} e tente de novo.`,
  ownedBy: (person: string): string => `É de ${person}.`,
  tryAgainIn: (wait: string): string => `Tente de novo em ${wait}.`,
  nothingMoved: "Era só uma consulta: nenhum dinheiro se moveu e nada foi guardado.",
  notDone: "O serviço não fez o que foi pedido: nenhum dinheiro se moveu.",
  supportCode: "Código de suporte",
  reference: "Referência",
  busyAccount,
  busyByAnother,
  capWithoutLess,
  disputeReturned,
  earlierOfAnother,
  refundOfAnother,
  refundUndecided,
  unfinishedOfAnother,
  amount: "Valor pedido",
  minimum: "Mínimo",
  available: "Disponível",
  dailyCap: "Seu limite diário",
  capLeft: "Ainda cabe",
  triesLeft: "Tentativas que restam",
  until: "A partir de",
  unlocksAt: "Destrava",
  opCode: "Código",
};
