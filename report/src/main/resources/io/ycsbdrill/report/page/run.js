/* The charts of one run, in its report and while it goes on. */
let board;
/** Where the charts begin: a calibration is folded away until it is asked for. */
let folded = data.from > 0;
const start = () => folded ? data.from : 0;
const seen = (xs, ys) => zip(xs, ys).filter(point => point[0] >= start());
const frame = options => Object.assign({ min: start(), max: data.duration }, options);
const windowName = () => number(data.windowSeconds) + ' s windows';
const sliceName = () => number(data.sliceSeconds * 1000) + ' ms slices';

function throughput(view, state) {
  const windows = data.windows.TOTAL;
  const slices = data.slices.TOTAL;
  const detailed = board ? board.detailed() : false;
  const option = baseOption(view, 'ops/s', frame({ slider: true }));
  const t = theme();
  option.series = [];
  if (slices && state.mode !== 'windows') {
    option.series.push(line(sliceName(), detailed ? colours.sky : t.lighter ? '#4d5a68' : '#b4c2d0', envelope(slices.rateAt, slices.rate, Math.max(start(), state.from), state.to), {
      showSymbol: false, lineStyle: { color: detailed ? colours.sky : t.lighter ? '#4d5a68' : '#b4c2d0', width: detailed ? 1.4 : 1 }, z: 2
    }));
  }
  if (state.mode !== 'slices') {
    option.series.push(line(windowName(), t.lighter ? colours.sky : colours.blue, seen(windows.at, windows.rate), {
      z: 3, lineStyle: { color: t.lighter ? colours.sky : colours.blue, width: 2.2, type: detailed ? 'dashed' : 'solid' }
    }));
  }
  return marked(option, view);
}

/** The keys of each target and the others, each in percent of its own baseline. */
function keys(view) {
  const option = baseOption(view, '%', frame({}));
  const ofTargets = [colours.vermillion, colours.orange, colours.purple];
  const others = theme().lighter ? colours.sky : colours.blue;
  option.series = data.keys.map((one, i) =>
    line(one.name, one.target ? ofTargets[i % ofTargets.length] : others, seen(one.at, one.percent), { showSymbol: false }));
  return marked(option, view);
}

/** How the client itself fared, on the same axis of time as what it measured. */
function client(view) {
  const option = baseOption(view, '%', frame({}));
  const t = theme();
  const after = points => points.filter(point => point[0] >= start());
  option.yAxis.max = 100;
  option.series = [line('processors of the client\'s machine in use', t.lighter ? colours.sky : colours.blue, after(data.client.busy), { showSymbol: false })];
  if (data.client.steal.some(point => point[1] > 0)) {
    option.series.push(line('given to others by the hypervisor', colours.purple, after(data.client.steal),
      { showSymbol: false, lineStyle: { color: colours.purple, width: 1.4, type: 'dashed' } }));
  }
  option.series.push({
    name: 'client was kept from running', type: 'scatter', symbol: 'triangle', symbolSize: 9, color: colours.vermillion,
    data: after(data.client.stalls.map(stall => [stall[0], 97])), emphasis: { disabled: true }
  });
  return marked(option, view);
}

function errors(view, state) {
  const option = baseOption(view, 'ops', frame({ whole: true }));
  option.grid.top = 50;
  const slices = data.slices.TOTAL;
  const series = (name, colour, at, counts, shape) => ({
    name, type: 'scatter', symbol: shape, symbolSize: 7, color: colour, data: seen(at, counts), emphasis: { disabled: true }
  });
  option.tooltip.trigger = 'item';
  option.tooltip.formatter = i => number(i.value[0]) + ' s: ' + number(i.value[1]) + ' ' + i.seriesName;
  option.series = [
    series('failed', colours.vermillion, slices.failedAt, slices.failed, 'circle'),
    series('unknown outcome', colours.purple, slices.unknownAt, slices.unknown, 'triangle')
  ];
  if (option.series.every(one => one.data.length === 0)) option.yAxis.max = 1; // else the axis has no numbers
  return marked(option, view);
}

function latency(operation) {
  return (view, state) => {
    const windows = data.windows[operation];
    const slices = data.slices[operation];
    const detailed = board ? board.detailed() : false;
    const option = baseOption(view, 'ms', frame({ log: state.log }));
    const mean = theme().lighter ? colours.sky : colours.blue;
    option.series = [];
    if (slices && (state.mode === 'slices' || detailed)) {
      option.series.push(line('slowest in ' + sliceName(), colours.grey, envelope(slices.maxAt, slices.max, Math.max(start(), state.from), state.to), {
        showSymbol: false, lineStyle: { color: colours.grey, width: 1 }
      }));
    }
    if (state.mode !== 'slices') {
      option.series.push(line('p99', colours.vermillion, seen(windows.at, windows.p99), { symbol: 'triangle', symbolSize: 6 }));
      option.series.push(line('p95', colours.orange, seen(windows.at, windows.p95), { symbol: 'rect' }));
      option.series.push(line('average', mean, seen(windows.at, windows.mean)));
      if (windows.responseMean) {
        const dashed = colour => ({ showSymbol: false, lineStyle: { color: colour, width: 1.4, type: 'dashed' } });
        option.series.push(line('response p99', colours.vermillion, seen(windows.at, windows.responseP99), dashed(colours.vermillion)));
        option.series.push(line('response p95', colours.orange, seen(windows.at, windows.responseP95), dashed(colours.orange)));
        option.series.push(line('response average', mean, seen(windows.at, windows.responseMean), dashed(mean)));
      }
    }
    return marked(option, view);
  };
}

/** Phases and lines belong to a series of their own, so that the legend cannot switch them off. */
function marked(option, view) {
  option.series.push({
    name: 'marks', type: 'line', data: [], silent: true,
    markArea: phaseAreas(data.phases, view, data.shade),
    markLine: markLines(data.lines.filter(one => !folded || one.at > start()), view)
  });
  return withLegend(option, view);
}

/** Whether one window is so slow that on a linear scale the others would lie on the axis. */
function steep(windows) {
  const values = windows.p99.concat(windows.responseP99 || []).filter(v => v !== null).sort((a, b) => a - b);
  return values.length > 0 && values[values.length - 1] > 20 * values[Math.floor(values.length / 2)];
}

function viewOf(element) {
  const kind = element.dataset.kind;
  return new View(element, kind === 'throughput' ? throughput : kind === 'errors' ? errors : kind === 'keys' ? keys : kind === 'client' ? client : latency(element.dataset.operation));
}

const anySteep = () => Object.keys(data.windows).some(name => name !== 'TOTAL' && steep(data.windows[name]));
