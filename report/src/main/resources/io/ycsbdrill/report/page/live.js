/* A run as it goes on: the server sends what is new about once a second, and everything anew to a page that was just opened. */
const views = [];
const figures = document.getElementById('figures');
const state = document.getElementById('state');
let totals = { ok: 0, failed: 0, unknown: 0 };
let nodes = {};
let chosenScale = false;
let over = false;

function element(name, text, attributes) {
  const made = Object.assign(document.createElement(name), attributes || {});
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The charts of the operations seen so far; one that appears later gets its own then. */
function charts() {
  const known = new Set(views.map(v => v.operation));
  const fresh = [];
  const make = (box, operation) => {
    const view = viewOf(box);
    view.operation = operation;
    views.push(view);
    fresh.push(view);
  };
  if (views.length === 0) {
    document.getElementById('over-time').hidden = false;
    document.getElementById('waiting').hidden = true;
    document.querySelectorAll('.chart').forEach(box => make(box, ''));
  }
  Object.keys(data.windows).filter(name => name !== 'TOTAL' && !known.has(name)).forEach(name => {
    const box = element('div', undefined, { className: 'chart latency', role: 'img' });
    box.dataset.kind = 'latency';
    box.dataset.operation = name;
    box.setAttribute('aria-label', 'Average, 95th and 99th percentile of the ' + name + ' latency of each window, in milliseconds');
    document.getElementById('latencies').append(element('h3', 'Latency of ' + name), box);
    make(box, name);
  });
  return fresh;
}

function draw() {
  if (!data.slices.TOTAL || !data.windows.TOTAL || document.hidden) return;
  const fresh = charts();
  if (!board) {
    board = new Board(views, 0, Math.max(1, data.duration));
    board.bindControls();
    document.getElementById('log').addEventListener('change', () => { chosenScale = true; });
  } else {
    fresh.forEach(view => board.add(view));
    if (!chosenScale) {
      board.state.log = anySteep();
      document.getElementById('log').checked = board.state.log;
    }
    board.extend(Math.max(1, data.duration));
  }
}


/** Adds new values after the known ones. A column of windows that one side lacks, as none of them has a response time, is empty there. */
function append(target, source) {
  Object.entries(source).forEach(([name, columns]) => {
    if (!Array.isArray(columns.rate) && !Array.isArray(columns.at)) return;
    const known = target[name] || (target[name] = {});
    const empty = windows => windows ? Array(windows.length).fill(null) : [];
    const before = empty(known.at);
    const now = empty(columns.at);
    new Set(Object.keys(known).concat(Object.keys(columns))).forEach(column => {
      known[column] = (known[column] || before).concat(columns[column] || now);
    });
  });
}

/** After a load comes its run, which has other operations: charts of those that it lacks go. */
function removeOld() {
  views.filter(view => view.operation && !data.windows[view.operation]).forEach(view => {
    const box = view.chart.getDom();
    view.chart.dispose();
    box.previousElementSibling.remove();
    box.remove();
    views.splice(views.indexOf(view), 1);
  });
}

/** Drops the oldest, so that a page that is open for days stays small. */
function shorten(update) {
  const before = data.duration - update.mostSlices * data.sliceSeconds;
  Object.values(data.slices).forEach(columns => [['rateAt', 'rate'], ['maxAt', 'max'], ['failedAt', 'failed'], ['unknownAt', 'unknown']].forEach(([at, values]) => {
    const drop = columns[at] ? columns[at].findIndex(time => time >= before) : 0;
    if (drop > 600) {
      columns[at].splice(0, drop);
      columns[values].splice(0, drop);
    }
  }));
  Object.values(data.windows).forEach(columns => {
    const drop = columns.at.length - update.mostWindows;
    if (drop > 0) Object.values(columns).forEach(values => values.splice(0, drop));
  });
  document.getElementById('kept').textContent = before > 0 ? ' Slices are kept for the newest '
    + number(update.mostSlices * data.sliceSeconds / 60) + ' minutes; the report has all of them.' : '';
}

function merge(update) {
  if (update.anew) {
    Object.assign(data, { windows: {}, slices: {} });
    document.getElementById('events').replaceChildren();
  }
  ['title', 'duration', 'windowSeconds', 'sliceSeconds', 'phases', 'lines'].forEach(key => { data[key] = update[key]; });
  append(data.windows, update.windows);
  append(data.slices, update.slices);
  removeOld();
  shorten(update);
  totals = update.totals;
  nodes = update.nodes;
  const rows = update.events.map(event => {
    const row = element('tr');
    row.append(element('th', event.at.toFixed(1) + ' s', { scope: 'row' }), element('td', event.text));
    if (event.kind === 'fault-failed') row.lastChild.className = 'bad';
    return row;
  }).reverse();
  document.getElementById('events').prepend(...rows);
  document.getElementById('happened').hidden = !document.getElementById('events').hasChildNodes();
  document.title = update.title + (update.mode === 'load' ? ': load' : ': live');
  document.getElementById('title').textContent = update.title + (update.mode === 'load' ? ' (load)' : '');
  document.getElementById('subtitle').textContent = update.subtitle;
}

function figure(title, value, note) {
  const cell = element('div');
  const shown = element('dd', value);
  shown.append(element('small', note));
  cell.append(element('dt', title), shown);
  return cell;
}

function figuresNow() {
  const cells = [];
  const slices = data.slices.TOTAL;
  if (slices && slices.rate.length > 0) {
    const second = slices.rate.slice(-Math.max(1, Math.round(1 / data.sliceSeconds)));
    cells.push(over ? figure('Ran for', number(data.duration) + ' s', 'since run start')
      : figure('Throughput', number(second.reduce((a, b) => a + b, 0) / second.length), 'ops/s, newest second'));
  }
  Object.keys(data.windows).filter(name => name !== 'TOTAL').forEach(name => {
    const p99 = data.windows[name].p99;
    if (p99.length > 0) {
      cells.push(figure(name + ' p99', number(p99[p99.length - 1]) + (p99[p99.length - 1] === null ? '' : ' ms'),
        over ? 'last window' : 'newest window'));
    }
  });
  cells.push(figure('Successful', number(totals.ok), 'operations'));
  cells.push(figure('Failed', number(totals.failed), 'definitely not applied'));
  cells.push(figure('Unknown outcome', number(totals.unknown), 'may have been applied'));
  Object.keys(nodes).forEach(node => cells.push(figure(node, nodes[node], 'phase')));
  figures.replaceChildren(...cells);
}

function key() {
  const items = new Map();
  data.phases.forEach(phase => items.set(phase.phase, phase));
  const list = [...items.values()].map(phase => {
    const item = element('li');
    const box = element('i');
    box.style.background = phase.colour + '59';
    item.append(box, phase.phase + (phase.label === phase.label.toUpperCase() ? ' (' + phase.label + ')' : ''));
    return item;
  });
  const named = new Set();
  data.lines.filter(line => line.label !== '' && !named.has(line.label)).forEach(line => {
    named.add(line.label);
    const item = element('li');
    item.append(element('b', line.label), ' ' + (line.fault ? 'fault begins' : line.text.replace(/ of [^ ]+$/, '')));
    list.push(item);
  });
  document.getElementById('key').replaceChildren(...list);
}

function say(strong, rest, kind) {
  state.className = 'verdict ' + (kind || '');
  state.firstElementChild.textContent = strong;
  state.lastElementChild.textContent = rest ? ': ' + rest : '';
}

function take(message) {
  if (message.feed.totals) merge(message.feed);
  over = message.state === 'ended';
  document.getElementById('now').textContent = over ? 'At the end' : 'Now';
  say(message.headline, message.text, message.kind);
  key();
  figuresNow();
  draw();
}

document.getElementById('whole').addEventListener('click', () => board.zoomTo(board.min, board.max));
document.getElementById('newest').addEventListener('click', () => board.zoomTo(board.max - 60, board.max));
document.addEventListener('visibilitychange', draw);
const events = new EventSource('events');
events.onmessage = event => {
  const message = JSON.parse(event.data);
  take(message);
  if (message.last) events.close();
};
events.onerror = () => {
  if (!over) say('No connection', 'the client has ended or was killed; this page tries again. What was recorded is in the run directory.', 'fail');
};
