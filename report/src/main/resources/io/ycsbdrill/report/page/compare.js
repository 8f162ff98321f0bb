let board;
const runs = [
  { name: 'A', data: data.a, light: '#0072B2', dark: '#56B4E9', faint: '#9DC3DC', faintDark: '#2F5266' },
  { name: 'B', data: data.b, light: '#D55E00', dark: '#E69F00', faint: '#EDBE9A', faintDark: '#6B4A14' }
];
const firstFault = run => { const fault = run.data.lines.find(l => l.fault); return fault ? fault.at : 0; };
let aligned = document.querySelector('input[name=align]') !== null;
const offset = run => aligned ? firstFault(run) : 0;
const shift = (run, xs) => xs.map(x => x - offset(run));
/** Without the calibration, in which each run had another load. */
const after = (run, points) => points.filter(point => point[0] >= run.data.from - offset(run));
const range = () => [Math.min(...runs.map(run => run.data.from - offset(run))), Math.max(...runs.map(r => r.data.duration - offset(r)))];

function option(view, unit, more) {
  const [min, max] = range();
  return baseOption(view, unit, Object.assign({ min, max, xName: aligned ? 'time since the first fault (s)' : 'time since run start (s)' }, more));
}

function throughput(view, state) {
  const dark = theme().lighter;
  const detailed = board ? board.detailed() : false;
  const result = option(view, 'ops/s', { slider: true });
  result.series = [];
  runs.forEach(run => {
    const colour = dark ? run.dark : run.light;
    const faint = detailed ? colour : dark ? run.faintDark : run.faint;
    const slices = run.data.slices.TOTAL;
    if (slices && state.mode !== 'windows') {
      result.series.push(line(run.name + ' slices', faint, after(run, envelope(shift(run, slices.rateAt), slices.rate, state.from, state.to)),
        { showSymbol: false, lineStyle: { color: faint, width: 1 }, z: 2 }));
    }
  });
  runs.forEach((run, i) => {
    const windows = run.data.windows.TOTAL;
    if (state.mode !== 'slices') {
      result.series.push(line(run.name + ' windows', dark ? run.dark : run.light, after(run, zip(shift(run, windows.at), windows.rate)), { z: 3, symbol: i ? 'rect' : 'circle' }));
    }
  });
  return marked(result, view);
}

function latency(operation) {
  return (view, state) => {
    const dark = theme().lighter;
    const result = option(view, 'ms', { log: state.log });
    result.series = [];
    runs.forEach((run, i) => {
      const windows = run.data.windows[operation];
      const colour = dark ? run.dark : run.light;
      const xs = shift(run, windows.at);
      result.series.push(line(run.name + ' p99', colour, after(run, zip(xs, windows.p99)), { symbol: i ? 'rect' : 'circle' }));
      result.series.push(line(run.name + ' average', colour, after(run, zip(xs, windows.mean)), { symbol: i ? 'rect' : 'circle', lineStyle: { color: colour, width: 1.4, type: 'dotted' } }));
    });
    return marked(result, view);
  };
}

function marked(result, view) {
  const lines = runs.flatMap(run => run.data.lines.filter(l => l.at > run.data.from).map(l =>
    Object.assign({}, l, { at: l.at - offset(run), label: run.name + ' ' + l.label }))).sort((x, y) => x.at - y.at);
  result.series.push({ name: 'marks', type: 'line', data: [], silent: true, markLine: markLines(lines, view) });
  result.grid.top = 70;
  return withLegend(result, view);
}

const views = [];
document.querySelectorAll('.chart').forEach(element =>
  views.push(new View(element, element.dataset.kind === 'throughput' ? throughput : latency(element.dataset.operation))));
board = new Board(views, ...range());
board.bindControls();
document.querySelectorAll('input[name=align]').forEach(input => input.addEventListener('change', () => {
  aligned = input.value === 'fault';
  [board.min, board.max] = range();
  board.zoomTo(board.min, board.max);
  board.state.from = board.min;
  board.state.to = board.max;
  board.draw();
  board.draw();
}));
