// Loaded by each thread of the server before anything else: beside the ports that it was given, Harper opens one more, on all
// interfaces and with a number that the system chooses. Here it stays on the loopback interface.
const { createRequire } = require('node:module');
try {
  const sockets = createRequire(process.env.YCSB_DRILL_HARPER)('node-unix-socket/js/socket');
  const create = sockets.createReuseportFd;
  sockets.createReuseportFd = (port, host) => create(port, host === '::' ? '127.0.0.1' : host);
} catch (e) {
  console.error('ycsb-drill: one more port is open on all interfaces: ' + e.message);
}
