/**
 * Makes the output of a test process block. Node's `--test-force-exit` ends the process while results still wait
 * to be written to a pipe; those were missing without a word, failed ones among them (nodejs/node#64833).
 */
interface Pipe {
  _handle?: { setBlocking?(on: boolean): void } | null;
}
(process.stdout as Pipe)._handle?.setBlocking?.(true);
