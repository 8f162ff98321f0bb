/* Figures of like runs in the order of their dates. */
class Drawing extends View {
  constructor(element) {
    super(element, () => null);
    this.series = data.series[element.dataset.series];
    this.metric = this.series.metrics[element.dataset.metric];
    this.chart.on('click', point => {
      const link = this.series.links[point.dataIndex];
      if (link) window.location.href = link;
    });
    this.build = () => this.option();
  }

  option() {
    const { series, metric } = this;
    const t = theme();
    const option = baseOption(this, metric.unit, { whole: metric.whole });
    delete option.dataZoom;
    option.grid.bottom = 58;
    option.grid.right = 36;
    option.grid.top = 34;
    option.xAxis = Object.assign({}, option.xAxis, {
      type: 'category', data: series.dates.map((date, i) => i), name: '', max: undefined, min: undefined,
      axisLabel: { color: t.soft, hideOverlap: true, formatter: i => series.dates[i].slice(5) }
    });
    option.tooltip.formatter = items => echarts.format.encodeHTML(series.dates[items[0].dataIndex] + ' ' + series.names[items[0].dataIndex]) +
      '<br>' + items.map(i => i.marker + i.seriesName + ' <b>' + number(i.value) + '</b> ' + metric.unit).join('<br>');
    const main = t.lighter ? colours.sky : colours.blue;
    option.series = [
      line('runs', main, metric.values.map((value, i) => metric.worse[i]
        ? { value, symbol: 'diamond', symbolSize: 13, itemStyle: { color: colours.vermillion } } : { value, symbolSize: 7 }), {
        showSymbol: true, cursor: 'pointer', lineStyle: { color: main, width: 1 }, z: 3,
        markLine: {
          silent: true, symbol: 'none', animation: false, label: { show: false },
          data: metric.changes.map(change => ({
            xAxis: change.run, lineStyle: { color: change.worse ? colours.vermillion : colours.green, width: 2, type: 'solid' }
          }))
        }
      }),
      line('median of earlier runs', t.soft, metric.expected, {
        showSymbol: true, symbol: 'rect', symbolSize: [10, 2], lineStyle: { color: t.soft, width: 1.2, type: 'dashed' } // one alone is to be seen, too
      })
    ];
    return withLegend(option, this);
  }
}

const drawings = [...document.querySelectorAll('.chart')].map(element => new Drawing(element));
const drawAll = () => drawings.forEach(drawing => { drawing.chart.resize({ width: 'auto' }); drawing.draw({}); });
drawAll();
window.addEventListener('resize', drawAll);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
window.addEventListener('beforeprint', () => { printing = true; drawAll(); });
window.addEventListener('afterprint', () => { printing = false; drawAll(); });
