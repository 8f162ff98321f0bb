const views = [];
document.querySelectorAll('.chart').forEach(element => views.push(viewOf(element)));
if (views.length > 0) {
  board = new Board(views, start(), data.duration);
  board.state.log = anySteep();
  if (board.state.log) board.draw();
  board.bindControls();
}
const calibration = document.getElementById('calibration');
if (calibration) {
  calibration.addEventListener('change', () => {
    folded = !calibration.checked;
    board.min = start();
    board.state.from = board.min;
    board.state.to = board.max;
    board.draw();
    board.zoomTo(board.min, board.max);
  });
}
