import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Under each heading: a part of a promise | the file below `test/` that guards it | a part of its test's title, or a lane. */
const PROMISES = `
## Try it

which the form pastes for you | browser/demo | the form pastes her key
restore it with its data | sandbox/demo | the check goes through the whole story
take the wallet service or Discord away | sandbox/page/panels | Discord goes down beside the wallet
Ana's is | readme | README has the sellers' keys of the demo
Bruno's | browser/demo | the guide has both sellers' keys

## Commands

gives its owner, in private, an XLSX | e2e/vendas | gives its files to their owner alone
the sums of the answer to the cent | accounting-files/accounting-months | the files as other programs read them say the same
named and left empty, never zero | accounting-files/accounting-views | has days and hours, amounts and shares as such, and empty cells

## Running it for real

No privileged intent is needed | discord/gateway | introduces itself without intents
with the permissions 274878024704 | readme | README invites the bot with the sum of the permissions that it names
view channels, send messages | shared/local-time | of 84992 are all that is needed for reports
attaching files is for the cards | e2e/cobrar | is published once however often it is clicked
each variable is explained there | architecture | .env.example names every variable
sellers' API keys and evidence | database/secrets-at-rest | holds no API key, no PIX key, no proof
A database belongs to one | database/vault | refuses another wallet service, and names both
published when they differ | discord/register-commands | are not written again, whatever defaults
published when they differ | discord/register-commands | all commands are written in one request when
does only that | discord/register | publishes all commands once, and finds them
lets several share the shards | e2e/dispute-processes | two processes on one PostgreSQL tell
lets several share the shards | crash/money/run.ts | money-postgres

## Processes and exit codes

A supervisor (systemd | readme | README has what npm start and npm run start:shards run
Each serves its own health pages | e2e/shards | shares four shards between two processes
told to stop (SIGTERM | e2e/process | registers the commands, serves, exits 0 on SIGTERM
told to stop (SIGTERM, SIGINT) | e2e/process | finishes what is in flight before it stops, and exits 0 on SIGINT too
finished what was in flight | e2e/process | finishes what is in flight before it stops
Discord or the database | discord/gateway | that does not come back in three minutes ends the process
is out of reach | e2e/process | exits 75 when %s, so that its supervisor tries again
disk is full, read-only or not mounted | start-failure | S16: %s is told in one sentence
another process has the database | start-failure | %s ends the start as a supervisor should
another process has the database | database/sqlite-database | refuses a second process
or the port of the health pages | health/health-server | a port that another program has is told
a setting is wrong | e2e/process | without variables lists every problem
the database file is damaged | e2e/process | S16: a damaged database is told in one sentence
PostgreSQL refuses | database/postgres-database | S5: that refuses %s is told as such
goes on by itself when the password is put back | database/postgres-outage | S5: a password that is changed
would forget commits | start-failure | %s ends the start as a supervisor should
Discord refuses the token | e2e/process | exits 78 when Discord refuses the token
in a sentence at any | e2e/process | says at any log level that it refuses the token
every problem is listed | config | lists every missing variable at once
every problem is listed | config | lists every bad variable at once, and none of their values
anything else | start-failure | %s ends the start as a supervisor should read it
a stop that took longer than 20 s | e2e/process | exits 1 when it could not stop in 20 s
not in the temporary folder | e2e/process | keeps no compiled code where other users may write
SHARDS=0-3 SHARD_COUNT=8 | config | reads shards %s
SHARDS=0-3 SHARD_COUNT=8 | discord/gateway | has the shards that it was given
With \`HTTP_PORT\` set | e2e/database-outage | S4: a killed database is told to people
(loop and database) | health/health-server | a bot whose loop lags five seconds
(loop and database) | health/health-server | a bot whose database refuses a write
(every shard | health/health-server | a bot with shards %j is not ready
(every shard, the database | health/health-server | S4: a bot whose database is away
people's commands arrive in time | health/health-server | S23: a bot whose last minute of
people's commands arrive in time | discord/discord-time | S23: how many were dropped as stale
(Prometheus) | health/health-server | metrics tell interactions, ack time
costs \`/metrics\` only | health/health-server | S4: metrics lack only the values of the database
for each read whose last try failed | wallet/client-reads | is a warning only by its last try
comes at twenty calls | wallet/breaker | opens after twenty calls in half a minute of which half got no answer, and not before
are served on 127.0.0.1 | config | keeps the health pages on this machine unless it is told otherwise
full_page_writes | database/postgres-outage | S5: a server that may forget commits
synchronous_commit | database/postgres-database | S5: waits for the disk at each commit
?sslmode= | config | is refused without a word about TLS
lives through its restarts | database/postgres-outage | S4: a server that is killed and comes back
lives through its restarts | crash/money/run.ts | money-postgres-kill
and fail-overs | database/postgres-outage | S5: a standby, which only reads
and fail-overs | start-failure | S4: %s costs the connection or only the statement
and fail-overs | database/postgres-outage | S5: a server that only reads under a running bot, as after a fail-over
counts as a restore from a copy | database/postgres-outage | S3: one that is promoted counts as an older copy
sellers make new addresses | webhooks/webhooks.store | from before a restore stay silent until they are replaced
no sale of before is given back | withdrawals/refunds/withdraw-refund.service | for three days after a restore, as the copy may lack
keeps the timeline | database/postgres-outage | S4: a server that is killed and comes back
told to try again in a minute | e2e/database-outage | S4: a killed database is told to people
and no money moves | withdrawals/withdraw-outage.service | S4: nothing is sent while the database is away
and no money moves | discord/money-handlers | S4: that is claimed too late is not run
10 commands in 30 s | discord/interaction-limits | is served ten commands, clicks and forms
COMMANDS_PER_PERSON | config | S9: serves ten commands of a person in 30 seconds
one server 60 a minute | discord/interaction-limits | are served sixty commands in a minute
reads how long to wait | e2e/bad-input | reads how long to wait, and can lock withdrawals
nobody who is confirming a withdrawal | discord/interaction-limits | never keep one of them from confirming
divides the shards | e2e/shards | shares four shards between two processes
divides the shards | supervise-shards | evenly, and no process is without one
once the one before is ready | e2e/shards | shares four shards between two processes
back one that dies | e2e/shards | brings back a process that was killed
or exits with 75 or 1 | e2e/shards | starts one again that exits 75
stops all of them with 78 | e2e/shards | stops all with 78 when it finds a wrong setting
lets all finish, with 0 | e2e/shards | which answer, post one report and end with 0

## Backup and restore

consistent copy while the bot runs | database/backup | S3: a backup is taken while the bot runs
consistent copy while the bot runs | crash/run.ts | restore-sqlite
pg_dump | database/backup | the dump is PostgreSQL's own
and are refused, as | database/backup | of version %d fits a server of version %d
ring is not in a copy | database/secrets-at-rest | holds no API key, no PIX key, no proof
as the bot's user | database/rotate-keys | names the file of another user
wants the bot stopped | database/backup | S3: a backup is taken while the bot runs
wants the bot stopped | database/backup | nothing is put into a database that has tables
it checks the copy | database/backup | a copy that is damaged, foreign or of another key ring
it checks the copy | database/backup | a dump fills an empty database, which one that is refused leaves empty
keeps the SQLite file before it | database/backup | a damaged database is replaced and kept
only an empty PostgreSQL database | database/backup | nothing is put into a database that has tables
only an empty PostgreSQL database | database/backup | a dump fills an empty database, which one that is refused leaves empty
.mark | database/storage-state | S3: is noticed at the start, with what the journal
.mark | database/storage-state | S3: is noticed where it came without its mark
signs of life inside | database/storage-state | S3: is noticed by the silence when its mark was put
or was emptied | database/storage-state | S3: is noticed when the file is empty or missing
reading works | withdrawals/restore/restore-check.service | S3: the balance and the list of withdrawals are shown
until its list was read | withdrawals/restore/restore-check.service | S3: money waits until the owner saw
until its list was read | withdrawals/restore/restore-check.service | S3: a confirmation that was shown before
until its list was read | withdrawals/restore/restore-hold | whatever is listed, dated, known or cut off
that ends by itself | withdrawals/restore/restore-check.service | S3: is over without a question where the list
the owner is asked once | withdrawals/restore/restore-check.service | S3: money waits until the owner saw
that the journal does not know | withdrawals/restore/restore-question.view | as an answer to /saque, when the list
confirms having looked | withdrawals/restore/restore-check.service | S3: an answer holds for what was shown
unsent operations become unknown | database/storage-state | S3: confirmed and sending become unknown
posts of before are looked for | delivery/restored.job | S3: a report of a day before is found
posts of before are looked for | crash/run.ts | restore-sqlite
put a new line first in the ring | database/encryption | seals with its first key and opens with all
lacks that line reads nothing | database/encryption | does not open for another row, another purpose or another key
may be interrupted and run again | database/rotate-keys | killed at any point leaves every value
exits 0 when only the new key | database/rotate-keys | says what it did and what is sealed
drop the old line from the ring | database/key-rotation | seals every value with the current key

## Updates and moves

An older version refuses tables | database/database | written by a newer version is refused
money waits until each account | withdrawals/restore/restore-check.service | S3: money waits until the owner saw
make new addresses by | webhooks/webhooks.store | from before a restore stay silent until they are replaced
sale of before is given back | withdrawals/refunds/withdraw-refund.service | for three days after a restore, as the copy may lack

## How it works

heartbeat, each minute | scheduler/every-minute | it beats at each full minute until it is stopped
the router answers, defers, edits | discord/deferral | is deferred privately and edited in
times, logs | discord/interaction-router | is logged with the time from its arrival to its answer
catches errors for all of them | discord/interaction-router | of ours shows nothing but a reference
owed at this instant | reports/report-schedule | loses no day and owes none twice, in any zone
Restarts, DST, clock steps | simulate/year-of-ten-zones | posts every owed day of a year once
two processes | reports/report-ledger.store | records a day twice as once
a changed hour | reports/report-routes.store | changed while they are on keep their beginning
a changed hour | e2e/daily-report | does not appear again on a day whose hour is changed after it
node-cron says when to look | scheduler/every-minute | it beats at each full minute until it is stopped
in the database refuses repeats | delivery/outbox.store | takes a delivery once; the first payload stands
Exactly once | crash/run.ts | reports: runReports
together with the mark | reports/report-ledger.store | leaves neither report nor mark when one of the two
that Discord refuses to take twice | delivery/deliver.job | repeats an unclear post under the same
that Discord refuses to take twice | e2e/daily-report | comes once although every answer of the first
history is read before posting again | delivery/deliver.job | looks into the history later
at most once and its owner is told | delivery/deliver.job | leaves a report whose history is closed
its repeat marked as one | disputes/alert-ways.job | a history that cannot be read has it posted once
Money moves at most once | interleavings/interleavings | tangles of clicks nobody moves what is not theirs
Money moves at most once | crash/money/run.ts | money-postgres
AES-256-GCM | database/encryption | is AES-256-GCM, as anything else can open it
bound to their row | database/encryption | does not open for another row, another purpose
bound to their row | database/vault | refuses one person's keys that were swapped between two guilds
carry no message of a foreign error | shared/log | carries no message of a foreign error, nor of its cause
scrubbed of the bot's own secrets | shared/log | hides any registered secret wherever it stands
scrubbed of the bot's own secrets | start-failure | the log of a start hides the bot's token and each key of the ring
looks like a key or personal data | shared/log | hides %s, which nobody registered

## The map

one file for each slash command | commands/commands | holds every file of the folder
checks what each role imports | architecture | import only the roles below their own
names the folders, checks | architecture | are all named, so that a new folder is a decision
refuses circles between folders | architecture | import each other's values in no circle

## No MED goes unanswered

From the moment a key is connected | disputes/dispute-poll.store | are due from the connection on
asked about every five minutes | disputes/dispute-watch | slow the polls down, which otherwise come
while any alert of it is on | disputes/dispute-poll.store | are of accounts that want alerts and are not paused
fifteen in quiet hours | commands/config-alertas | ask less often in quiet hours
no MED of the account awaits an answer | disputes/woken-looks.job | slow to 15 minutes while calls are trusted
tells of each new one | e2e/dispute-alerts | a new one is announced once, and each reminder once
reminds 72, 48, 24, 6 and 1 hour | disputes/dispute-watch | %d hours before the deadline, after %j
tells that the deadline passed | e2e/dispute-alerts | a new one is announced once, and each reminder once
that the answer arrived | e2e/dispute-processes | two processes on one PostgreSQL tell each alert once
for the owner of the key alone | e2e/dispute-alerts | have buttons for nobody but the owner
the MED in full, only for you | disputes/dispute-reading.service | opens by a button for its owner
the MED in full, only for you | browser/alerts | its details are for Ana alone, under the alert
no more reminders, unless | e2e/dispute-alerts | the owner's word silences reminders, until
a quarter of an hour after a later press | disputes/silenced-alerts.job | said under the last call has it told again
but none after the one of an hour before | disputes/silenced-alerts.job | called the last one brings no other
no reminder for six hours | e2e/dispute-alerts | putting off holds reminders back for six hours
as files and as a text to paste | e2e/meds | has the proofs of the contested sale in both files
the alarms still to come | disputes/dispute-calendar.view | made with %j left has the alarms %j
the soonest deadline first | disputes/dispute-reading.service | puts those that await an answer before
takes the code of one by hand | e2e/meds | without the service's list says so, and follows what
to the server's channel instead | e2e/people | says in each server where the alerts go
or switches them off | e2e/dispute-alerts | go to their owner while the admin has switched
how many alerts did not arrive | e2e/dispute-alerts | owners who closed their direct messages are told
owner who disconnects and connects a key of the account again | disputes/dispute-reminders.service | find the MED by the key that was connected again
Each alert replaces the one before it | disputes/replaced-alerts.job | is edited once when the next one was posted, without its buttons
names a channel and a role to ping | e2e/dispute-alerts | ping the chosen role for the chosen steps
menus for which alerts ping | commands/config-alertas | choose the steps that ping, any number of
and for quiet hours | commands/config-alertas | set quiet hours over midnight, and end them
which hold back what can wait | e2e/dispute-alerts | quiet hours hold back what can wait
not the last two reminders | disputes/dispute-watch | hold %s at %s until %s
a new MED with less than a day left | disputes/dispute-watch | hold %s with %d hours left until %s
shows a code, amounts, a deadline and how the MED stands | disputes/dispute-alert.view | says what happened, what to do
of sellers who chose it | accounts/accounts.store | is the direct messages until the owner says otherwise
its alerts go to their owners | e2e/dispute-alerts | go to their owner when the channel is lost
only if everybody may mention it | sandbox/discord/channels | a role that is not mentionable, are notified only with
is asked, once a day | accounts/presence.job | asks Discord once in a UTC day, whatever is posted
asked again before the next post | accounts/presence.job | is asked about again
is not posted any more | e2e/people | S14: who left a server is not posted there, is told once
alerts then go by direct message | e2e/people | S14: alerts of a MED leave the channel
the last one gets neither | e2e/people | S14: who shares no server with the bot any more
counts as back at once with \`/conta ver\` | commands/conta | ver, asked in a server that its owner had left, sends alerts
a report waits up to eight minutes | accounts/presence-crowd | gets its report, without those known to have left, though
its last answer holds | accounts/presence.job | stays away while Discord cannot be asked about one who was gone
marked as done in the transaction | disputes/dispute-watch.store | take one step of many at once
that hands it to the outbox | disputes/dispute-watch.store | do not change when their alert cannot be kept
read again right before it is posted | disputes/revalidate-alert.job | is not posted when it was answered meanwhile
what stopped being true is not sent | disputes/revalidate-alert.job | is not posted when it was answered meanwhile
missed while the bot was down are one | e2e/dispute-alerts | a new one is announced once
missed while the bot was down are one | disputes/dispute-watch | takes the older reminders with it
for each wallet account and person | disputes/many-servers.job | S11: bring each person every alert
in however many servers | e2e/people | S11: two servers, one key: one alert
else by direct message | disputes/one-watch.job | S11: a channel that one of the servers offers gets it
is tried again hourly | accounts/account-notices.job | is tried 24 times in the first day and 29 times
It comes exactly once if Discord | simulate/disputes/fortnights | tells of each dispute what is owed, once
It comes exactly once if Discord | disputes/revalidate-alert.job | is done when the history shows it
it is sent once more, marked | disputes/alert-ways.job | a history that cannot be read has it posted once
_(reenvio: …)_ | disputes/dispute-alert.view | %j is the same but for its mark and its reference
It is read tolerantly | wallet/undocumented-lists.ts | is found at %s
told once for each rise | disputes/dispute-list | are told once for each rise, never of a single poll
told once for each rise | disputes/unlisted-disputes.job | S12: is told again when there are more

## The defence of a MED

so the bot never does | e2e/meds | has the proofs of the contested sale in both files, answers nothing
tells people where | e2e/meds | names where the answer is given in the message
text, author, time, link | defence/proofs.service | changes with whatever is kept of it
file names and SHA-256 | defence/proofs.service | are kept with the digest of what they say
sealed like the API keys | database/secrets-at-rest | holds no API key, no PIX key, no proof
seen by who kept them alone | defence/proofs.service | are read and deleted by who kept them alone
erased with their last connection | defence/proofs.store | go with the last connection of their owner
Attachments are not downloaded | e2e/provas | are kept from a message's menu, listed, opened and deleted; nothing downloads
or in a message that it forwards | discord/interaction | a message says what stands %s
named as that, not as its author | defence/dossier.view | names who forwarded a message as that
has the MED, the sale, its evidence | defence/dossier.view | has the dispute, the sale and the proofs
by what the payer alleges | defence/dossier.view | of type %s has a checklist of its own
and what is missing | defence/dossier.view | tells all that is missing
as a PDF | print/print.service | says what the dossier says, in its own words
as a text file | defence/dossier.view | has both files, named after the infraction
a draft to paste | e2e/meds | has the proofs of the contested sale in both files
The SHA-256** can be made again | defence/dossier.view | has for each proof a line of which its SHA-256 is made again
in a thread that ends with it | print/print.service | is made in a thread that ends with it

## Money that never moves twice

must never be sent again | wallet/withdraw | that meets %s is sent once, and may have been carried out
amount, fee, what arrives, whose key it is, and a button for the other speed | withdrawals/withdraw-confirmation.view | shows what leaves, what it costs
Receipt of a completed withdrawal | withdrawals/receipt.view | is one block to be copied
The answer was lost: do not repeat | withdrawals/withdraw-status.view | says that it may have been made
failed and the value went back | withdrawals/withdraw-status.view | quotes the reason, says that the value
is an operation in a journal | withdrawals/withdraw-journal.store | lets every legal step be taken, with its event
allows one withdrawal of unknown outcome | withdrawals/withdraw-concurrency.store | of one wallet account only one
allows one withdrawal of unknown outcome | withdrawals/withdraw-concurrency.store | one that is on its way or in doubt locks its account and no other
whichever of its keys | withdrawals/wallet-account.service | S2: another key %s finds the withdrawal
its keys, servers | withdrawals/wallet-account.service | S2: another key %s finds the withdrawal
or people it comes from | withdrawals/wallet-account.service | S2: another key %s finds the withdrawal
a compare-and-set | withdrawals/withdraw-concurrency.store | what was changed since it was read is neither moved
together with its event | withdrawals/withdraw-concurrency.store | of many that move one operation exactly one wins
together with its event | withdrawals/withdraw-concurrency.store | a notice that cannot be kept takes its step back
An accepted withdrawal does not lock | withdrawals/withdraw-concurrency.store | S8: of what the service accepted none
say what is under way | withdrawals/several-open.service | another is prepared with what is known
say what is under way | withdrawals/several-open.service | /saldo and /saques show them both
and the service decides | withdrawals/several-open.service | the service's refusal of another is shown as its own
committed before the one POST | withdrawals/withdraw-send.service | when it arrives, with the list of that moment
committed before the one POST | withdrawals/withdraw-send.service | broken %s it was made, sends nothing
a connection of its own | wallet/withdraw | uses a connection of its own
HTTP/1.1 | wallet/lying-peer | is not spoken to in HTTP/2, and gets one request: %s
no retry, no redirect | wallet/withdraw | that meets %s is sent once, and may have been carried out
A crash turns | withdrawals/withdraw-sweep.store | is swept when its lease has ended
A crash turns | withdrawals/withdraw-reconcile.service | survives its process: the next one finds
A crash turns | crash/money/run.ts | money-sqlite
never back | withdrawals/withdraw-sweep.store | leaves nothing to a process that comes back from the dead
refused in a documented form | wallet/classify-money | of %d with %j stands for %s
what provably never left | wallet/not-sent | to a port where nobody listens was not sent
what provably never left | wallet/proof-of-unsent | never reaches the service, wherever its deadline falls
a 409 never does | wallet/classify-money | S7: of 409 with %j may speak of the very withdrawal
Everything else is | wallet/classify-money | of %d with %j is no refusal, whoever wrote it
the person is told so | e2e/saque | finds by reading a withdrawal whose answer was lost, and repeats
takes no new withdrawal | withdrawals/withdraw-reconcile.service | blocks the account and says why
finds out **by reading only** | e2e/saque | finds by reading a withdrawal whose answer was lost
the one new withdrawal that matches | withdrawals/withdraw-reconcile.service | is found by reading, and followed
the one new withdrawal that matches | withdrawals/withdraw-reconcile.service | is handed to its owner when two withdrawals match
the one new withdrawal that matches | withdrawals/withdraw-reconcile.service | adopts no match while another one that is new cannot be read
does not fully understand may be ours | withdrawals/withdraw-reconcile.service | is left to its owner while one %s may be it
does not fully understand may be ours | withdrawals/same-pix-key | is never taken for another one when any of its characters are hidden
not found in 45 minutes | withdrawals/withdraw-reconcile.service | is handed to its owner after 45 minutes without
or fits two withdrawals | withdrawals/withdraw-reconcile.service | when two withdrawals match
missing from the balance | withdrawals/withdraw-reconcile.service | S6: is its owner's at once
reading for a month | withdrawals/withdraw-follow.service | stops reading one that nobody decides after a month
two days late | withdrawals/withdraw-follow.service | hands one that is still open after two days to its owner
cannot call it not made while it is followed | withdrawals/several-open.service | is not closed as not made while
by typing the operation's code | withdrawals/withdrawals.service | needs the code, and the person who asked
nobody can say within a day that it was not made | withdrawals/withdrawals.service | that it did not happen waits while
within a day that it was not made | withdrawals/withdrawals.service | that it did not happen waits no longer than a day
The bot goes on reading | withdrawals/withdraw-reconcile.service | S6: that shows late is found, after its owner
goes on reading for a month | withdrawals/withdraw-follow.service | finds one of unknown outcome that shows on its 28th day
only after three days | withdrawals/withdraw-reconcile.service | S6: is its owner's after 45 minutes, and was not
open withdrawals of that kind | withdrawals/withdraw-follow.service | S6: learns from %s whether absence
open withdrawals of that kind | withdrawals/withdraw-reconcile.service | S6: is not concluded from %s, however long
never with a lower balance | withdrawals/withdraw-reconcile.service | S6: is not concluded from %s, however long
is followed to its end | withdrawals/withdraw-follow.service | reads a turbo withdrawal after seconds
is followed to its end | withdrawals/withdraw-follow.service | reads a normal withdrawal around its plan
The private reply is edited | e2e/saque | pays by turbo to its end, and the private reply follows it
while Discord lets us | discord/live-replies | fourteen minutes later it is forgotten
a direct message takes over | e2e/saque | tells by direct message once the reply can no longer
always knows | withdrawals/withdrawals.service | shows the journal when the service cannot be read
direct message is ended by one | withdrawals/doubt-ends.service | ends there when it is found as %s
replaces the ones before it | withdrawals/replaced-notice.job | says that it is replaced once a newer one is posted
restore or a pause of the bot is left unanswered | withdrawals/restore/restore-check.service | S3: what comes after the question is told as any other
another one waits for its owner's decision | withdrawals/external-withdrawals.service | is told at once when it has %s
unless it may be that one by amount and key | withdrawals/external-withdrawals.service | is told at once by its listed amount %s
unless it may be that one by amount and key | withdrawals/external-withdrawals.service | is told only after the decision when it may be
button that locks withdrawals, also while a question after a restore | withdrawals/restore/restore-check.service | S3: an answer hides from no other owner
restore or a pause of the bot is left unanswered | withdrawals/declared-not-made.service | is told once while %s
another one waits for its owner's decision | withdrawals/before-question.service | is told once after a pause, and the later question
lost is in the question alone | withdrawals/before-question.service | is told after a restore only where the lost part
owner had declared as not made | withdrawals/declared-not-made.service | is told to that owner by its code
owner had declared as not made | withdrawals/declared-not-made.service | is told to its owner alone, once, by its code
declared as not made also who disconnected before | withdrawals/declared-not-made.service | is told to its owner alone, who has disconnected
an order that finds such a one | withdrawals/declared-not-made.service | holds up the next order once, and is told by it
shown before it was found is asked again | withdrawals/withdraw-denied.service | asks again at the click when
shown before it was found is asked again | withdrawals/declared-not-made.service | asks again at the click when
that nobody asked for here is told | e2e/saques | tells of a withdrawal that nobody asked for here, once
a button that locks withdrawals | money-guards/money-guards.view | has one button, which locks and is its owner's
lists it for the others | withdrawals/withdrawals.service | shows as another person's what that person withdrew here
told that they share the account when | accounts/shared-account.service | is told to each other owner and of each
While the keys of one owner are refused | withdrawals/external-withdrawals.service | is told to nobody whose key the service refuses while
refused and made all the same | withdrawals/withdraw-denied.service | is told, and claimed, before another one
While the service | withdrawals/withdraw-confirm.service | S22: is refused before anything is confirmed
or the database does not answer | withdrawals/withdraw-outage.service | S4: nothing is sent while the database is away
only after saying what can no longer | accounts/accounts.service | S2: is told before its last key is deleted
The last working key | accounts/wallet-accounts.store | S2: whose other one's key is refused is the last
only after saying what can no longer | e2e/people | S2: the last key is deleted only by
the key that its question named | commands/conta-direto | an old question deletes none that
or its open withdrawals have changed since | commands/conta-direto | S2: an old warning drops no withdrawal but
an admin's, where the key has changed | commands/config | deletes no key that was %s after the question
an admin learns of no withdrawal | commands/config | S2: removes it in spite of a withdrawal of %s
do nothing until you set | config | sends nothing that the service does not describe unless
do nothing until you set | withdrawals/withdraw-prepare.service | needs the operator's word for what is not
do nothing until you set | withdrawals/withdraw-cancel.service | is refused for what is on its way, what is not there, and where
(the demo does) | sandbox/demo | the check goes through the whole story and succeeds
documented and needs no switch | withdrawals/withdraw-prepare.service | needs the operator's word for what is not
sends \`{ "txid" }\` | wallet/withdraw | names what it is of, and is accepted by success alone
once \`REFUND_ENABLED=true\` | withdrawals/refunds/withdraw-refund.service | where it is switched off, even for a confirmation
the PIN, the lock and the daily cap | e2e/estornar | asks for the PIN, stops at the lock and at the daily cap
payment's own documented status | withdrawals/refunds/withdraw-refund.service | sends once, and ends when the payment is refunded
until the payment reads \`refunded\` | withdrawals/refunds/withdraw-refund.service | is unknown, and found out by reading the payment
that payment, and only that payment | withdrawals/refunds/refund-once.service | other payments and withdrawals go on
by whatever person or key | withdrawals/refunds/refund-once.service | is refunded once by two confirmations of two people
MEDs are read when it is asked for | withdrawals/refunds/withdraw-refund.service | under a dispute that is %s
just before the request | withdrawals/refunds/refund-once.service | a dispute that opens only once the confirmation is committed

## What it promises

sealed with AES-256-GCM | database/encryption | is AES-256-GCM, as anything else can open it
API keys, PIX keys and evidence are | database/secrets-at-rest | holds no API key, no PIX key, no proof
bound to their row | database/vault | refuses one person's keys that were swapped between two guilds
kept apart from the database | database/secrets-at-rest | no key of the ring, in any encoding
replaces the key | database/rotate-keys | says what it did and what is sealed
scrubbed of the bot's own secrets | start-failure | the log of a start hides the bot's token and each key of the ring
looks like a key or personal data | shared/log | hides %s, which nobody registered
reduced to their codes | shared/log | carries no message of a foreign error, nor of its cause
owner of a key sees its figures | commands/config | shows who is connected, and of their keys and figures nothing
unless the owner agreed to show | commands/conta | ver takes the consent back at once by its menu, and gives it, to its owner alone
posted a charge's card | e2e/cobrar | is published once however often it is clicked
by the key's owner alone | interleavings/interleavings | tangles of clicks nobody moves what is not theirs
by the key's owner alone | e2e/saque | belongs to the person who typed it
with a PIN where one is set | e2e/estornar | asks for the PIN, stops at the lock and at the daily cap
stops it at once | money-guards/money-guards.service | stops what was confirmed and is about to be sent
listen on 127.0.0.1 | config | keeps the health pages on this machine unless it is told otherwise
`;

const collapsed = (text: string): string => text.replaceAll(/\s+/g, " ");
const sections = Map.groupBy(
  ["README.md", "docs/operating.md", "docs/promises.md", "SECURITY.md", "CONTRIBUTING.md"].flatMap(
    (file) => readFileSync(file, "utf8").split(/^#{2,3} /m),
  ),
  (section) => section.split("\n")[0],
);
const withoutComments = (file: string): string =>
  readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
/** A test that is skipped guards no promise; one that runs alone skips the others of its file. */
const SKIPPED = /\b(?:describe|it|test)(?:\.\w+)*\.(?:only|skip|todo)\b/;
const promises = PROMISES.split(/^## /m).flatMap((section) => {
  const [heading = "", ...lines] = section.trim().split("\n");
  return lines.filter(Boolean).map((line) => ({ heading, line, parts: line.split(" | ") }));
});

test("README makes each of these promises, once, under its heading", () => {
  const gone = promises.filter(({ heading, parts: [words = ""] }) => {
    return collapsed(sections.get(heading)?.join("\n") ?? "").split(words).length !== 2;
  });
  expect(promises.length).toBeGreaterThan(200);
  expect(gone.map(({ line }) => line)).toEqual([]);
});

test("the test that is named beside each promise is there, and runs", () => {
  const gone = promises.filter(({ parts: [, file = "", title = "", ...rest] }) => {
    const code = withoutComments(`test/${file.endsWith(".ts") ? file : `${file}.test.ts`}`);
    return title === "" || !code.includes(title) || SKIPPED.test(code) || rest.length > 0;
  });
  expect(gone.map(({ line }) => line)).toEqual([]);
});
