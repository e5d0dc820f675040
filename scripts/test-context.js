import hooks from 'node:async_hooks';

/*
 * Preloaded by scripts/test.ts, for a third of the processor that tests take. Node's test runner finds out which test some
 * code belongs to by a hook on the making and the collecting of every promise. Here it is told the same by an
 * AsyncLocalStorage, which Node hands on by itself. Whoever runs a file with `node --test` alone has the runner's own way.
 */
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks;
const current = new AsyncLocalStorage();
let noted = () => {};

hooks.createHook = (callbacks) => {
  noted = callbacks.init;
  return { enable() {}, disable() {} };
};
hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId();
// What a test is to the runner: its functions run in its scope.
hooks.AsyncResource = class extends AsyncResource {
  constructor(type, options) {
    super(type, options);
    noted(this.asyncId(), type, this.triggerAsyncId(), this);
  }

  runInAsyncScope(work, self, ...args) {
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => work.apply(self, args)));
  }
};
// It keeps what it finds when it is loaded; everybody else finds what was there.
await import('node:test');
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
